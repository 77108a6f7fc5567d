// This file knows what the variables of a random program are at each place.

package fixtest

// A kind is a type of variable.
type kind int

const (
	text kind = iota // char *
	node             // struct node *
	file             // FILE *
	kinds
)

func (k kind) decl(name string) string {
	return [...]string{"char *", "struct node *", "FILE *"}[k] + name
}

// A state is what a variable is on all ways to a place.
type state int

const (
	unset   state = iota // nothing may be done with it but to set it; it may hold the last pointer to something
	null                 // it is NULL
	owned                // it holds something that nobody else releases
	maybe                // null or owned
	flagged              // owned when its flag is set, else lent
	lent                 // to be looked at, not to be released
)

// A variable is one in scope.
type variable struct {
	name  string
	kind  kind
	state state
	flag  string // of one that is flagged
}

// held are the states of all variables in scope; nil is a place that no way leads to.
type held []state

func (g *generator) held() held {
	if g.f.dead {
		return nil
	}
	out := make(held, len(g.f.vars))
	for i, v := range g.f.vars {
		out[i] = v.state
	}
	return out
}

// set goes on with these states.
func (g *generator) set(h held) {
	g.f.dead = h == nil
	for i, s := range h {
		g.f.vars[i].state = s
	}
}

// join is what holds after either.
func join(a, b held) held {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := make(held, min(len(a), len(b)))
	for i := range out {
		out[i] = joinState(a[i], b[i])
	}
	return out
}

func joinState(a, b state) state {
	pointer := func(s state) bool { return s == null || s == owned || s == maybe }
	switch {
	case a == b:
		return a
	case pointer(a) && pointer(b):
		return maybe
	}
	return unset
}

// within says that a is one of the cases of b.
func within(a, b state) bool { return joinState(a, b) == b }

// mutable says that a variable may be changed: that of an open loop only when it
// can be made again what it was at the head.
func (g *generator) mutable(i int) bool {
	for _, l := range g.f.loops {
		if i < l.vars && l.inv[i] != null && l.inv[i] != maybe && l.inv[i] != unset {
			return false
		}
	}
	return true
}

// restore makes the variables from before a loop again what they were at its head.
func (g *generator) restore(l loop) {
	for i, v := range g.f.vars[:l.vars] {
		if within(v.state, l.inv[i]) {
			continue
		}
		if (v.state == owned || v.state == maybe) && g.chance(g.care) {
			g.release(v)
		}
		if v.state != null {
			g.line("%s = NULL;", v.name)
			v.state = null
		}
	}
}

// pick chooses a variable for which ok holds, or none.
func (g *generator) pick(ok func(i int, v *variable) bool) *variable {
	var fit []*variable
	for i, v := range g.f.vars {
		if ok(i, v) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[g.IntN(len(fit))]
}
