// This file writes SARIF 2.1.0, the form that code hosts and editors read.

package render

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	projectURI  = "https://github.com/plumb-project/plumb"
	docsURI     = projectURI + "/blob/main/docs/findings/"
	srcRoot     = "%SRCROOT%" // the working directory
)

// sarif writes one run: primary location is where the object is lost, the
// allocation is a related location, the steps are a code flow.
func (d *document) sarif(w io.Writer) error {
	run := sarifRun{
		Tool:        sarifTool{Driver: d.sarifDriver()},
		Invocations: []sarifInvocation{d.sarifInvocation()},
		Taxonomies:  []sarifComponent{d.cweTaxonomy()},
		Results:     []sarifResult{},
		ColumnKind:  "utf16CodeUnits",
	}
	if d.cfg.Dir != "" {
		run.BaseIDs = map[string]sarifArtifact{srcRoot: {URI: fileURI(d.cfg.Dir) + "/"}}
	}
	for i := range d.findings {
		run.Results = append(run.Results, d.sarifResult(&d.findings[i]))
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (d *document) sarifDriver() sarifComponent {
	c := sarifComponent{
		Name:    "plumb",
		Version: d.cfg.Version,
		InfoURI: projectURI,
		Uses:    []sarifReference{{Name: "CWE", Index: new(int)}},
	}
	for _, k := range d.rules {
		c.Rules = append(c.Rules, sarifRule{
			ID:      k.Rule(),
			Short:   &sarifMessage{Text: k.Title()},
			HelpURI: docsURI + k.String() + ".md",
			Config:  &sarifConfig{Level: level(k, report.Certain)},
			Relationships: []sarifRelationship{{
				Target: cweReference(k),
				Kinds:  []string{"superset"},
			}},
			Properties: &sarifProperties{Tags: []string{"memory", fmt.Sprintf("external/cwe/cwe-%d", k.CWE())}},
		})
	}
	return c
}

// sarifInvocation says that plumb did its work, and which units it left out.
func (d *document) sarifInvocation() sarifInvocation {
	inv := sarifInvocation{Successful: true}
	if d.cfg.Dir != "" {
		inv.Dir = &sarifArtifact{URI: fileURI(d.cfg.Dir) + "/"}
	}
	for _, s := range d.coverage.Skipped {
		inv.Notifications = append(inv.Notifications, sarifNotification{
			Level:     "warning",
			Message:   sarifMessage{Text: fmt.Sprintf("%s: not analysed: %s", d.path(s.Unit), s.Reason)},
			Locations: []sarifLocation{{Physical: &sarifPhysical{Artifact: d.sarifArtifact(s.Unit)}}},
		})
	}
	for _, n := range d.runNotes {
		inv.Notifications = append(inv.Notifications, sarifNotification{Level: "note", Message: sarifMessage{Text: n}})
	}
	return inv
}

func (d *document) sarifResult(f *finding) sarifResult {
	res := sarifResult{
		RuleID:       f.Kind.Rule(),
		RuleIndex:    slices.Index(d.rules, f.Kind),
		Level:        level(f.Kind, f.Confidence),
		Rank:         rank(f.Confidence),
		Message:      sarifMessage{Text: strings.Join(slices.Concat([]string{f.Message()}, f.remarks(), d.agreement(f)), "; ")},
		Fingerprints: map[string]string{"plumb/v1": f.id},
		Taxa:         []sarifReference{cweReference(f.Kind)},
		Properties:   &sarifProperties{Confidence: f.Confidence.String(), Why: f.Why, When: f.When},
	}
	for _, g := range f.GaveUp {
		res.Properties.GaveUp = append(res.Properties.GaveUp, d.place(g.Pos)+": "+g.Text)
	}
	loss := d.sarifLocation(f.Loss)
	if f.Function != "" {
		loss.Logical = []sarifLogical{{Name: f.Function, Kind: "function"}}
	}
	res.Locations = []sarifLocation{loss}
	if f.Alloc.IsValid() {
		// The allocation, and the calls that led to it.
		for i, s := range f.notes() {
			if i > 0 && s.Depth == 0 {
				break
			}
			res.Related = append(res.Related, d.sarifStep(s))
		}
	}
	d.addRun(&res, f)
	d.addFix(&res, f)
	for _, s := range f.Also {
		res.Related = append(res.Related, d.sarifStep(s))
	}
	var flow []sarifFlowStep
	for _, s := range f.notes() {
		flow = append(flow, sarifFlowStep{Location: d.sarifStep(s), Nesting: s.Depth})
	}
	if len(flow) > 0 {
		res.Flows = []sarifFlow{{Threads: []sarifThread{{Steps: flow}}}}
	}
	return res
}

// level is how loud a reader is to be.
func level(k report.Kind, c report.Confidence) string {
	if c == report.Latent || k == report.StillHeld {
		return "note"
	}
	return "warning"
}

// rank is a confidence as readers of SARIF sort by it, from 0 to 100.
func rank(c report.Confidence) float64 {
	switch c {
	case report.Certain:
		return 90
	case report.Possible:
		return 50
	}
	return 10
}

// sarifStep is the place of a step with what happens there.
func (d *document) sarifStep(s report.Step) sarifLocation {
	l := d.sarifLocation(s.Pos)
	l.Message = &sarifMessage{Text: s.Text}
	return l
}

func (d *document) sarifLocation(p source.Position) sarifLocation {
	if p.File == "" {
		return sarifLocation{}
	}
	l := sarifLocation{Physical: &sarifPhysical{Artifact: d.sarifArtifact(p.File)}}
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: p.Line, Col: d.utf16Col(p)}
	}
	return l
}

// utf16Col counts the column of p the way SARIF readers do; the compiler counts
// bytes. The two differ only behind text that is not ASCII.
func (d *document) utf16Col(p source.Position) int {
	line, ok := d.line(p)
	if !ok || p.Col < 1 || p.Col > len(line)+1 {
		return p.Col
	}
	n := 1
	for _, r := range line[:p.Col-1] {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// sarifArtifact names a file: relative to the working directory, or whole.
func (d *document) sarifArtifact(file string) sarifArtifact {
	if rel, ok := d.base.below(file); ok {
		a := sarifArtifact{URI: relativeURI(rel)}
		if d.cfg.Dir != "" {
			a.Base = srcRoot
		}
		return a
	}
	return sarifArtifact{URI: fileURI(file)}
}

// relativeURI quotes a relative path. Segment by segment, because a colon in
// the first one would read as a scheme.
func relativeURI(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(p), ":", "%3A")
	}
	return strings.Join(parts, "/")
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// cweTaxonomy lists the weaknesses that plumb's kinds stand for.
func (d *document) cweTaxonomy() sarifComponent {
	c := sarifComponent{
		Name:    "CWE",
		Org:     "MITRE",
		InfoURI: "https://cwe.mitre.org/",
		Short:   &sarifMessage{Text: "The MITRE Common Weakness Enumeration"},
	}
	names := map[int]string{
		401: "Missing Release of Memory after Effective Lifetime",
		415: "Double Free",
		416: "Use After Free",
		459: "Incomplete Cleanup",
		762: "Mismatched Memory Management Routines",
	}
	for _, k := range d.rules {
		id := strconv.Itoa(k.CWE())
		if n := len(c.Taxa); n > 0 && c.Taxa[n-1].ID == id {
			continue
		}
		c.Taxa = append(c.Taxa, sarifRule{
			ID:      id,
			Short:   &sarifMessage{Text: names[k.CWE()]},
			HelpURI: "https://cwe.mitre.org/data/definitions/" + id + ".html",
		})
	}
	return c
}

func cweReference(k report.Kind) sarifReference {
	return sarifReference{ID: strconv.Itoa(k.CWE()), Component: &sarifReference{Name: "CWE", Index: new(int)}}
}
