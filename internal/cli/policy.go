// This file has the flags that answer what no analysis can decide.

package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

// policyFlags has one flag for each policy.
func (c *common) policyFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("Policies (see docs/policies.md)", pflag.ContinueOnError)
	for _, s := range driver.Policies() {
		fs.Var(&policyValue{&c.cfg.Policy, s.Set, s.Values, s.Values[0]}, s.Name,
			s.Help)
	}
	return fs
}

// completePolicies lets shells complete the values.
func completePolicies(cmd *cobra.Command) {
	for _, s := range driver.Policies() {
		completeWords(cmd, s.Name, s.Values[:]...)
	}
}

// A policyValue is the flag of one policy.
type policyValue struct {
	policy *driver.Policy
	set    func(*driver.Policy, string) bool
	values [2]string
	now    string
}

func (v *policyValue) String() string { return v.now }

// Type is what help shows as the value: the one that changes something.
func (v *policyValue) Type() string { return v.values[1] }

func (v *policyValue) Set(word string) error {
	if !v.set(v.policy, word) {
		return fmt.Errorf("use %s or %s", v.values[0], v.values[1])
	}
	v.now = word
	return nil
}
