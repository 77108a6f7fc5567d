// This file writes calls, arrays and lists of random programs.

package fixtest

// call calls an earlier function; what it gives may be dropped.
func (g *generator) call(s signature) {
	fresh := !(g.f.cleanup && g.depth == 1) // a variable may be declared here
	switch s.shape {
	case gives, makes:
		k := text
		if s.shape == makes {
			k = node
		}
		if !fresh || g.chance(0.1) {
			g.line("%s();", s.name)
			return
		}
		v := &variable{name: g.name("got"), kind: k, state: maybe}
		g.line("%s = %s();", k.decl(v.name), s.name)
		g.f.vars = append(g.f.vars, v)
	case fills:
		if !fresh {
			return
		}
		v := &variable{name: g.name("filled"), kind: text, state: maybe}
		g.line("char *%s = NULL;", v.name)
		g.line("if (%s(&%s) != 0)", s.name, v.name)
		g.line("%stotal++;", g.unit)
		g.f.vars = append(g.f.vars, v)
	case takes:
		g.line("total += %s(xdup(%s));", s.name, g.literal())
	case borrows:
		v := g.pick(func(_ int, v *variable) bool { return v.kind == text && (v.state == owned || v.state == lent) })
		if v != nil {
			g.line("total += %s(%s);", s.name, v.name)
		} else {
			g.line("total += %s(%s);", s.name, g.literal())
		}
	case recurses:
		g.line("total += %s(next() %% 3);", s.name)
	default:
		g.line("total += %s();", s.name)
	}
}

// row writes an array of texts.
func (g *generator) row() {
	row, i := g.name("row"), g.name("i")
	each := func(from int) { g.line("for (int %s = %d; %s < 3; %s++)", i, from, i, i) }
	g.open("if (next() < 7)")
	g.line("char *%s[3] = {NULL, NULL, NULL};", row)
	each(0)
	g.line("%s%s[%s] = strdup(%s);", g.unit, row, i, g.literal())
	each(0)
	g.line("%sshow(%s[%s]);", g.unit, row, i)
	if g.chance(0.4) {
		g.line("if (next() == 2) {")
		if g.chance(g.care) {
			g.line("%sfree(%s[1]);", g.unit, row)
		}
		g.line("%s%s[1] = strdup(%s);", g.unit, row, g.literal())
		g.line("}")
	}
	if g.chance(g.care) {
		from := 0
		if !g.chance(g.care) {
			from = 1
		}
		each(from)
		g.line("%sfree(%s[%s]);", g.unit, row, i)
	}
	g.close()
}

// list writes a list of nodes.
func (g *generator) list() {
	list, item, n := g.name("list"), g.name("item"), g.name("n")
	g.open("if (next() > 2)")
	g.line("struct node *%s = NULL;", list)
	g.open("for (int %s = next() %% 4; %s > 0; %s--)", n, n, n)
	g.line("struct node *%s = node_new(%s);", item, g.literal())
	g.line("if (!%s)", item)
	g.line("%sbreak;", g.unit)
	if g.chance(0.3) {
		g.open("if (next() == 5)")
		if g.chance(g.care) {
			g.line("node_free(%s);", item)
		}
		g.line("continue;")
		g.close()
	}
	g.line("%s->count = %s;", item, n)
	g.line("%s->next = %s;", item, list)
	g.line("%s = %s;", list, item)
	g.close()
	if g.chance(0.6) {
		g.line("for (struct node *%s = %s; %s; %s = %s->next)", item, list, item, item, item)
		g.line("%snode_show(%s);", g.unit, item)
	}
	if g.chance(g.care) {
		rest := g.name("rest")
		g.open("while (%s)", list)
		g.line("struct node *%s = %s->next;", rest, list)
		if g.chance(g.care) {
			g.line("node_free(%s);", list)
		} else {
			g.line("free(%s);", list)
		}
		g.line("%s = %s;", list, rest)
		g.close()
	}
	g.close()
}
