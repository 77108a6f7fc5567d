// This file turns the end of a path into a finding.

package leak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// maxSteps bounds a story: the allocation, the first branches, the loss.
const maxSteps = 24

// report adds a finding, unless there is one with the same end.
func (w *walker) report(s *state, l *loss) {
	w.recordLoss(l)
	if w.life != nil {
		w.life.lost(s, l)
		return
	}
	if w.graph != nil {
		w.graph.end(s, l)
		return
	}
	if w.fn.allPaths {
		w.lost = append(w.lost, l) // the paths are all known when the walk is over
		return
	}
	w.add(w.finding(l))
}

func (w *walker) add(f report.Finding) {
	same := func(g report.Finding) bool { return g.Kind == f.Kind && g.Loss == f.Loss }
	if !slices.ContainsFunc(w.found, same) {
		w.found = append(w.found, f)
	}
}

// finding tells the story of a loss.
func (w *walker) finding(l *loss) report.Finding {
	f, _, _ := w.story(l)
	return f
}

// story tells the story of a loss, and how many of its steps come before what
// happened on the way, and after that.
func (w *walker) story(l *loss) (f report.Finding, before, after int) {
	fn := w.fn
	sum, _ := fn.callee(w.site)
	f = report.Finding{
		Kind:       l.kind,
		Alloc:      fn.position(w.site),
		Loss:       fn.position(l.at),
		Function:   fn.f.SourceName(),
		Holder:     l.last,
		Allocator:  sum.name,
		Object:     w.object(sum),
		Confidence: report.Certain,
	}
	var left []report.Step
	if w.out != nil {
		// Nothing at the call shows what it makes so far away.
		c, _ := w.placeCell(&state{}, w.site, w.out.to)
		if _, static := globalOf(c.base); static || isContent(c.base) || c.isElement() {
			m := w.made()
			f.Alloc, f.Allocator, f.Object = m.pos, m.by, m.object
			text := fn.f.SourceName() + " calls " + sum.name
			if name := w.cellName(c); name != "" {
				text = sum.name + " leaves it in " + name
			}
			left = []report.Step{{Pos: fn.position(w.site), Text: text}}
		}
	}
	in := w.within(l.at, l.in)
	if in != nil {
		f.Kind, f.Loss, f.Function = in.kind, in.pos, in.function
		f.Holder = cmp.Or(f.Holder, in.holder)
	}
	if left == nil {
		left = w.link().next.steps()
	}
	f.Steps = append([]report.Step{{Pos: f.Alloc, Text: f.Origin()}}, left...)
	before = len(f.Steps)
	f.Steps = append(f.Steps, w.steps(l.trail)...)
	on := len(f.Steps)
	last := report.Step{Pos: f.Loss, Text: l.text}
	if in != nil {
		for _, c := range in.calls {
			c.Depth, last.Depth = last.Depth, last.Depth+1
			f.Steps = append(f.Steps, c)
		}
		if in.text != "" {
			last.Text = in.text
		}
	}
	f.Steps = append(f.Steps, last)
	return f, before, len(f.Steps) - on
}

// steps tells what happened on the way.
func (w *walker) steps(how *trail) []report.Step {
	fn := w.fn
	var steps []report.Step
	for t := how; t != nil; t = t.prev {
		if t.more != nil {
			continue
		}
		step := report.Step{Pos: fn.position(t.at), Text: t.text}
		if t.text == "" {
			step.Text = w.branchText(t.cond, t.truth)
			if fn.lineOf(t.cond) != 0 { // where the branch itself is depends on the version of clang
				step.Pos = fn.position(t.cond)
			}
		}
		inner := t.in.steps()
		slices.Reverse(inner)
		steps = append(append(steps, inner...), step)
	}
	slices.Reverse(steps)
	return steps[:min(len(steps), maxSteps-2)]
}

// holderName names what holds the object, as the source spells it.
func (w *walker) holderName(s *state) string {
	switch {
	case len(s.vars) > 0:
		return w.fn.f.Vars[s.vars[0]].Name
	case len(s.cells) > 0:
		return w.cellName(s.cells[0])
	}
	return ""
}

// cellName spells a cell.
//
//	cfg.name
//	cfg->name
//	*out
func (w *walker) cellName(c cell) string {
	f := w.fn.f
	if c.isElement() {
		c.off -= element
		name := w.cellName(c)
		if name == "" {
			return ""
		}
		return strings.TrimPrefix(name, "*") + "[]"
	}
	in := c.off >= inside // the library knows where
	if in {
		c.off -= inside
	}
	if g, ok := globalOf(c.base); ok {
		return w.fn.p.Globals[g].SourceName() + w.fn.memberName(w.fn.p.Globals[g].Struct, c.off)
	}
	if isContent(c.base) {
		return ""
	}
	a := &f.Values[c.base]
	if a.Var == 0 {
		return ""
	}
	name := f.Vars[a.Var].Name
	if a.Op != ir.OpAlloca {
		return w.fieldName(c, name)
	}
	if in && c.off == 0 {
		return name
	}
	return name + w.fn.memberName(ir.StructID(f.Ints[a.Aux+1]), c.off)
}

// addressName spells the field at an address, by the variable that points there.
func (w *walker) addressName(addr ir.ValueID) string {
	base, off, ok := w.fn.address(addr)
	if !ok || w.fn.f.Values[base].Var == 0 {
		return ""
	}
	return w.fieldName(cell{base, off}, w.fn.f.Vars[w.fn.f.Values[base].Var].Name)
}

// memberName spells the member at an offset into a struct: ".pos.x".
func (fn *function) memberName(st ir.StructID, at int64) string {
	name, off := "", uint64(at)
	for st != 0 {
		fields := fn.p.Structs[st].Fields
		i := len(fields) - 1
		for i >= 0 && (fields[i].Off > off || fields[i].Name == "") {
			i--
		}
		if i < 0 {
			break
		}
		name += "." + fields[i].Name
		off -= fields[i].Off
		st = fields[i].Struct
	}
	return name
}

// fieldName spells a cell of what the variable called name points to, with the
// field that the function itself uses for it.
func (w *walker) fieldName(c cell, name string) string {
	f := w.fn.f
	for _, u := range w.fn.uses.Succs(uint32(c.base)) {
		x := &f.Values[u]
		if x.Op != ir.OpGep {
			continue
		}
		g := &f.Geps[x.Aux]
		if g.Off != c.off || g.NStride > 0 || g.NStep == 0 {
			continue
		}
		sep := "->"
		for _, st := range f.Steps[g.Step : g.Step+g.NStep] {
			field := w.fn.p.Structs[st.Struct].Fields[st.Field].Name
			if field == "" {
				return name
			}
			name += sep + field
			sep = "."
		}
		return name
	}
	if field := w.fn.fieldOf(f.Vars[f.Values[c.base].Var].Type, c.off); field != "" {
		return name + "->" + field
	}
	if c.off == 0 {
		return "*" + name
	}
	return name
}

// fieldOf returns the name of the field at an offset into what a pointer of this
// type points to.
func (fn *function) fieldOf(typ string, off int64) string {
	name, ok := strings.CutSuffix(typ, " *")
	if !ok {
		return ""
	}
	name = strings.TrimPrefix(name, "struct ")
	for i := range fn.p.Structs {
		if fn.p.Structs[i].Name == name && off >= 0 {
			return strings.TrimPrefix(fn.memberName(ir.StructID(i), off), ".")
		}
	}
	return ""
}

// branchText says which branch was taken, and why if that can be said.
func (w *walker) branchText(cond ir.ValueID, truth bool) string {
	if c := w.condition(cond, truth, 0); c != "" {
		return "here " + c
	}
	return fmt.Sprintf("the condition is %t", truth)
}

var operators = [...]string{ir.EQ: "==", ir.NE: "!=", ir.UGT: ">", ir.UGE: ">=", ir.ULT: "<", ir.ULE: "<=",
	ir.SGT: ">", ir.SGE: ">=", ir.SLT: "<", ir.SLE: "<="}

// condition spells what holds when v is true or false, or returns "".
func (w *walker) condition(v ir.ValueID, truth bool, depth int) string {
	f := w.fn.f
	x := &f.Values[v]
	if depth > 6 {
		return ""
	}
	switch x.Op {
	case ir.OpXor:
		if n, ok := f.ConstInt(f.ArgsOf(v)[1]); ok && n != 0 {
			return w.condition(f.ArgsOf(v)[0], !truth, depth+1)
		}
	case ir.OpICmp:
		p := ir.Pred(x.Sub)
		if !truth {
			p = negate(p)
		}
		a, b := f.ArgsOf(v)[0], f.ArgsOf(v)[1]
		if n, ok := f.ConstInt(b); ok && n == 0 && f.Values[a].Op == ir.OpZExt && (p == ir.EQ || p == ir.NE) {
			return w.condition(f.ArgsOf(a)[0], p == ir.NE, depth+1)
		}
		l, r := w.operand(a), w.operand(b)
		if l != "" && r != "" {
			return l + " " + operators[p] + " " + r
		}
	}
	return ""
}

// operand spells a value that has a name or is a constant.
func (w *walker) operand(v ir.ValueID) string {
	f := w.fn.f
	x := &f.Values[v]
	switch {
	case x.Op == ir.OpConstNull:
		return "NULL"
	case x.Op == ir.OpConstInt:
		return fmt.Sprint(f.Ints[x.Aux])
	case x.Var != 0 && x.Op != ir.OpAlloca:
		return f.Vars[x.Var].Name
	case x.Op == ir.OpSExt || x.Op == ir.OpZExt || x.Op == ir.OpTrunc:
		return w.operand(f.ArgsOf(v)[0])
	}
	return ""
}
