// This file prints models as they are written.

package model

import (
	"fmt"
	"slices"
	"strings"
)

// String prints the line that Parse reads.
func (f *Func) String() string {
	var b strings.Builder
	b.WriteString(f.Name + "(" + strings.Join(f.names(), ", ") + ")")
	if f.Display != "" {
		fmt.Fprintf(&b, " as %q", f.Display)
	}
	for i, o := range f.Outcomes {
		switch {
		case i > 0:
			b.WriteString(" |")
		case o.Result != ResultAny:
			b.WriteString(" ->")
		}
		if i > 0 || o.Result != ResultAny {
			b.WriteString(" " + f.result(&o))
		}
		f.effects(&b, &o)
	}
	if f.NoReturn {
		b.WriteString(" noreturn")
	}
	if f.Throws {
		b.WriteString(" throws")
	}
	return b.String()
}

// names returns the parameters, the variadic ones included.
func (f *Func) names() []string {
	if f.Variadic {
		return append(slices.Clone(f.Params), "...")
	}
	return f.Params
}

func (f *Func) result(o *Outcome) string {
	switch o.Result {
	case ResultFresh:
		s := "fresh" + o.Fresh.String()
		if o.IfNull > 0 {
			s += " if " + f.Params[o.IfNull-1] + " null"
		}
		return s
	case ResultNull:
		return "null"
	case ResultArg:
		return f.Params[o.Arg]
	case ResultNum:
		return o.Num.String()
	}
	return "any"
}

func (f *Func) effects(b *strings.Builder, o *Outcome) {
	for _, r := range o.Consumes {
		switch {
		case r.Inside:
			b.WriteString(" empties ")
		case r.Held:
			b.WriteString(" consumes *")
		default:
			b.WriteString(" consumes ")
		}
		b.WriteString(f.Params[r.Param])
		if r.Like != "" {
			b.WriteString(" like " + r.Like)
		}
		if r.Counted {
			b.WriteString(" counted")
		}
	}
	for _, m := range o.Makes {
		verb := " makes "
		if m.Inside {
			verb = " fills "
		}
		b.WriteString(verb + f.Params[m.Param] + m.String())
	}
	for _, p := range o.Keeps {
		b.WriteString(" keeps " + f.names()[p])
	}
	for _, p := range o.Lends {
		b.WriteString(" borrows *" + f.Params[p])
	}
	for _, p := range o.Reads {
		b.WriteString(" reads " + f.names()[p])
	}
	for _, c := range o.Calls {
		args := make([]string, len(c.Args))
		for i, a := range c.Args {
			if args[i] = "_"; a >= 0 {
				args[i] = f.Params[a]
			}
		}
		fmt.Fprintf(b, " calls %s(%s)", f.Params[c.Func], strings.Join(args, ", "))
		if c.Later {
			b.WriteString(" later")
		}
	}
}

// String prints what follows fresh, or makes and a parameter.
func (o Object) String() string {
	var s string
	if o.Noun != "" {
		s = fmt.Sprintf(" %q", o.Noun)
	}
	if o.Zeroed {
		s += " zeroed"
	}
	if o.For != "" {
		s += " for " + o.For
	}
	if o.Each != "" {
		s += " each " + o.Each
	}
	return s
}
