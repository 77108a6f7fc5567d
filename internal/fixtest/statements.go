// This file writes the statements of random programs that make, use and release.

package fixtest

import "fmt"

// declare writes a new variable. At the head of a function that jumps to its end
// it starts as NULL.
func (g *generator) declare(empty bool) {
	v := &variable{name: g.name([]string{"text", "copy", "item", "p"}[g.IntN(4)]), kind: kind(g.IntN(int(kinds)))}
	if g.chance(0.5) {
		v.kind = text
	}
	defer func() { g.f.vars = append(g.f.vars, v) }()
	switch c := g.IntN(6); {
	case empty || c == 0:
		g.line("%s = NULL;", v.kind.decl(v.name))
		v.state = null
	case c == 1 && v.kind == text:
		v.flag, v.state = g.name("own"), flagged
		g.line("int %s = next() %% 2;", v.flag)
		g.line("char *%s = %s ? xdup(%s) : %s;", v.name, v.flag, g.literal(), g.literal())
	case c == 2 && v.kind == text:
		g.line("char *%s = next() %% 2 ? strdup(%s) : NULL;", v.name, g.literal())
		v.state = maybe
	default:
		g.line("%s = %s;", v.kind.decl(v.name), g.alloc(v.kind))
		v.state = maybe
		g.check(v)
	}
}

func (g *generator) literal() string {
	return fmt.Sprintf("%q", []string{"a", "oak", "birch", "elm tree", "willow"}[g.IntN(5)])
}

// alloc is an expression that makes something new, or NULL.
func (g *generator) alloc(k kind) string {
	switch k {
	case node:
		if f := g.callee(makes); f != "" && g.chance(0.4) {
			return f + "()"
		}
		return "node_new(" + g.literal() + ")"
	case file:
		return `fopen("/dev/null", "r")`
	}
	if f := g.callee(gives); f != "" && g.chance(0.4) {
		return f + "()"
	}
	switch g.IntN(5) {
	case 0:
		return "calloc(1, 32)"
	case 1:
		return "strndup(" + g.literal() + ", 3)"
	case 2:
		return "xdup(" + g.literal() + ")"
	}
	return "strdup(" + g.literal() + ")"
}

// callee is an earlier function of a shape, or "".
func (g *generator) callee(s shape) string {
	var fit []string
	for _, f := range g.done {
		if f.shape == s {
			fit = append(fit, f.name)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return fit[g.IntN(len(fit))]
}

// check leaves when the variable is NULL, more often than not.
func (g *generator) check(v *variable) {
	if g.chance(0.3) || g.f.name == "main" {
		return
	}
	before := g.held()
	v.state = null
	if g.chance(0.5) {
		g.line("if (!%s)", v.name)
		g.depth++
		if g.f.cleanup {
			g.jump()
		} else {
			g.line("return %s;", g.failure())
		}
		g.depth--
	} else {
		g.open("if (%s == NULL)", v.name)
		g.line("total++;")
		g.exit()
		g.close()
	}
	g.set(before)
	v.state = owned
}

// look uses what a variable holds.
func (g *generator) look(v *variable) {
	switch {
	case v.state == unset:
	case v.kind == node:
		if v.state == owned && g.chance(0.3) {
			g.line("%s->count += next();", v.name)
		}
		g.line("node_show(%s);", v.name)
	case v.kind == file:
		g.line("if (%s && fgetc(%s) == EOF)", v.name, v.name)
		g.line("%stotal++;", g.unit)
	default:
		switch g.IntN(5) {
		case 0:
			g.line("if (%s && next() %% 2 && show(%s) > 3)", v.name, v.name)
			g.line("%stotal++;", g.unit)
		case 1:
			alias := g.name("alias")
			g.line("const char *%s = %s;", alias, v.name)
			g.line("total += weigh(%s);", alias)
		case 2:
			g.line("total += %s ? weigh(%s + 1) : 0;", v.name, v.name)
		default:
			g.line("show(%s);", v.name)
		}
	}
}

// release gives up what a variable holds. Afterwards it is NULL or unset.
func (g *generator) release(v *variable) {
	if v.state == flagged {
		g.line("if (%s)", v.flag)
		g.line("%sfree(%s);", g.unit, v.name)
		v.state = unset
		return
	}
	if v.state != owned && v.state != maybe {
		return
	}
	switch v.kind {
	case node:
		if v.state == owned && g.chance(0.3) {
			if g.chance(g.care) {
				g.line("free(%s->name);", v.name)
			}
			g.line("free(%s);", v.name)
		} else {
			g.line("node_free(%s);", v.name)
		}
	case file:
		if v.state == maybe {
			g.line("if (%s)", v.name)
			g.line("%sfclose(%s);", g.unit, v.name)
		} else {
			g.line("fclose(%s);", v.name)
		}
	default:
		switch {
		case v.state == maybe && g.chance(0.3):
			g.line("if (%s)", v.name)
			g.line("%sfree(%s);", g.unit, v.name)
		case g.chance(0.2):
			g.line("consume(%s);", v.name)
		default:
			if f := g.callee(takes); f != "" && g.chance(0.3) && v.state == owned {
				g.line("total += %s(%s);", f, v.name)
			} else {
				g.line("free(%s);", v.name)
			}
		}
	}
	v.state = unset
	if g.chance(0.5) {
		g.line("%s = NULL;", v.name)
		v.state = null
	}
}

// assign sets a variable anew; what it held is released first, or lost.
func (g *generator) assign(v *variable) {
	if v.state == owned || v.state == maybe || v.state == flagged {
		if g.chance(g.care) {
			g.release(v)
		}
	}
	g.line("%s = %s;", v.name, g.alloc(v.kind))
	v.state = maybe
	g.check(v)
}

// grow makes a text longer by realloc.
func (g *generator) grow(v *variable) {
	if g.chance(0.5) {
		g.line("%s = realloc(%s, 64);", v.name, v.name)
		v.state = maybe
		g.check(v)
	} else {
		more := g.name("more")
		g.line("char *%s = realloc(%s, 64);", more, v.name)
		g.line("if (%s)", more)
		g.line("%s%s = %s;", g.unit, v.name, more)
	}
	if v.state == owned {
		g.line("strcat(%s, \"+\");", v.name)
	}
}

// move hands what a variable holds to another.
func (g *generator) move(v *variable) {
	to := &variable{name: g.name("moved"), kind: v.kind, state: v.state}
	g.line("%s = %s;", v.kind.decl(to.name), v.name)
	g.f.vars = append(g.f.vars, to)
	v.state = unset
	if g.chance(0.5) {
		g.line("%s = NULL;", v.name)
		v.state = null
	}
}

// keep puts a text where other functions find it.
func (g *generator) keep(v *variable) {
	if g.chance(0.4) {
		g.line("if (!offer(%s))", v.name)
		if g.chance(g.care) {
			g.line("%sfree(%s);", g.unit, v.name)
		} else {
			g.line("%stotal += weigh(%s);", g.unit, v.name)
		}
		if g.chance(0.5) {
			g.line("take_back();")
		}
	} else {
		if g.chance(g.care) {
			g.line("free(kept);")
		}
		g.line("kept = %s;", v.name)
	}
	v.state = unset
	if g.chance(0.3) {
		g.line("%s = NULL;", v.name)
		v.state = null
	}
}

// rename overwrites what a node owns.
func (g *generator) rename(v *variable) {
	if g.chance(g.care) {
		g.line("free(%s->name);", v.name)
	}
	g.line("%s->name = strdup(%s);", v.name, g.literal())
}
