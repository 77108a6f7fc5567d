// This file writes the control flow of random programs.

package fixtest

// statements writes so many, or fewer when no way leads on.
func (g *generator) statements(n int) {
	for range n {
		for range 8 { // there may be nothing that can be done so
			if g.f.dead || g.statement() {
				break
			}
		}
	}
}

// block writes statements; variables of theirs end there.
func (g *generator) block(n int) held {
	vars := len(g.f.vars)
	g.statements(n)
	return g.end(vars)
}

// end ends the scope of variables, and returns what is known of the others.
func (g *generator) end(vars int) held {
	if !g.f.dead {
		for _, v := range g.f.vars[vars:] {
			if g.chance(g.care) {
				g.release(v)
			}
		}
	}
	g.f.vars = g.f.vars[:vars]
	return g.held()
}

// statement writes one, unless there is no variable for it.
func (g *generator) statement() bool {
	// with does something with a variable that may be changed.
	with := func(do func(*variable), ok func(v *variable) bool) bool {
		v := g.pick(func(i int, v *variable) bool { return g.mutable(i) && ok(v) })
		if v != nil {
			do(v)
		}
		return v != nil
	}
	holds := func(v *variable) bool { return v.state == owned || v.state == maybe }
	isText := func(v *variable) bool { return v.kind == text && holds(v) }
	fresh := !g.f.cleanup || g.depth > 1 // a variable may be declared here
	nested := g.depth > 3
	switch c := g.IntN(24); {
	case c <= 1 && fresh:
		g.declare(false)
	case c <= 6:
		v := g.pick(func(_ int, v *variable) bool { return v.state != unset && v.state != null })
		if v == nil {
			return false
		}
		g.look(v)
	case c <= 8:
		return with(g.assign, func(v *variable) bool { return v.state != lent && v.flag == "" })
	case c == 9:
		return with(g.release, func(v *variable) bool { return holds(v) || v.state == flagged })
	case c == 10:
		return with(g.grow, func(v *variable) bool { return v.state == owned && isText(v) })
	case c == 11:
		return fresh && with(g.move, holds)
	case c == 12:
		return with(g.keep, isText)
	case c == 13:
		return with(g.rename, func(v *variable) bool { return v.state == owned && v.kind == node })
	case c == 14 && len(g.done) > 0:
		g.call(g.done[g.IntN(len(g.done))])
	case c <= 17 && !nested:
		g.branch()
	case c == 18 && !nested:
		g.loop()
	case c == 19 && !nested:
		g.choose()
	case c <= 21:
		g.guardedExit()
	case c == 22 && !nested:
		g.row()
	case c == 23 && !nested:
		g.list()
	default:
		return false
	}
	return true
}

// branch writes an if.
func (g *generator) branch() {
	before := g.held()
	g.open("if (%s)", []string{"next() % 2", "next() > 4", "next() == 3", "total % 2 == next() % 2"}[g.IntN(4)])
	one := g.block(1 + g.IntN(3))
	other := before
	if g.chance(0.5) {
		g.turn("else")
		g.set(before)
		other = g.block(1 + g.IntN(3))
	}
	g.close()
	g.set(join(one, other))
}

// loop writes one of three kinds.
func (g *generator) loop() {
	for _, v := range g.f.vars {
		if (v.state == null || v.state == owned) && g.chance(0.6) {
			v.state = maybe
		}
	}
	l := loop{vars: len(g.f.vars), inv: g.held()}
	n := g.name("n")
	tail := ""
	switch g.IntN(3) {
	case 0:
		g.open("for (int %s = next() %% 4; %s > 0; %s--)", n, n, n)
	case 1:
		g.line("int %s = next() %% 3;", n)
		g.open("while (%s-- > 0)", n)
	default:
		g.open("do")
		tail = " while (next() > 5);"
	}
	breaks := g.f.breaks
	g.f.loops, g.f.breaks = append(g.f.loops, l), 0
	g.block(1 + g.IntN(4))
	if !g.f.dead {
		g.restore(l)
	}
	g.f.loops, g.f.breaks = g.f.loops[:len(g.f.loops)-1], breaks
	g.depth--
	g.line("}%s", tail)
	g.set(l.inv)
}

// choose writes a switch.
func (g *generator) choose() {
	before := g.held()
	g.f.breaks++
	g.open("switch (next() %% 4)")
	g.depth--
	after := before
	var fall held // what is known when the case before goes on into this one
	for i := range 2 + g.IntN(2) {
		g.line("case %d: {", i)
		g.depth++
		g.set(join(before, fall))
		fall = g.block(1 + g.IntN(2))
		if fall != nil && g.chance(0.7) {
			g.line("break;")
			after, fall = join(after, fall), nil
		}
		g.depth--
		g.line("}")
		if fall != nil {
			g.line("// fall through")
		}
	}
	if g.chance(0.5) {
		g.line("default:")
		g.line("%sbreak;", g.unit)
	} else {
		g.line("case 9:")
		g.line("%stotal++;", g.unit)
	}
	g.line("}")
	g.f.breaks--
	g.set(join(after, fall))
}

// guardedExit leaves a loop or the function on some ways.
func (g *generator) guardedExit() {
	before := g.held()
	g.open("if (next() == %d)", 1+g.IntN(8))
	g.exit()
	g.close()
	g.set(before)
}

// exit leaves what is open.
func (g *generator) exit() {
	loops := g.f.loops
	switch c := g.IntN(4); {
	case c == 0 && len(loops) > 0 && g.f.breaks == 0:
		g.leaveLoop("break;")
	case c <= 1 && len(loops) > 0:
		g.leaveLoop("continue;")
	case g.f.cleanup:
		g.jump()
	case g.f.name == "main":
		g.line("total += 2;")
	default:
		g.leave()
	}
}

func (g *generator) leaveLoop(how string) {
	l := g.f.loops[len(g.f.loops)-1]
	for _, v := range g.f.vars[l.vars:] {
		if g.chance(g.care) {
			g.release(v)
		}
	}
	g.restore(l)
	g.line("%s", how)
	g.f.dead = true
}

// jump goes to the label at the end.
func (g *generator) jump() {
	g.f.jumps = append(g.f.jumps, g.held()[:g.f.top])
	g.line("goto out;")
	g.f.dead = true
}

// out writes the label and what is released there.
func (g *generator) out() {
	if len(g.f.jumps) == 0 {
		return
	}
	here := g.held()
	if here != nil {
		here = here[:g.f.top]
	}
	for _, j := range g.f.jumps {
		here = join(here, j)
	}
	g.raw("out:\n")
	g.f.vars = g.f.vars[:g.f.top]
	g.set(here)
}

// failure is what a function returns when it gives nothing.
func (g *generator) failure() string {
	switch g.f.shape {
	case gives, makes:
		return "NULL"
	case fills:
		return "-1"
	}
	return "total"
}

// leave returns from the function; what is not released before is lost.
func (g *generator) leave() {
	defer func() { g.f.dead = true }()
	give := func(k kind, states ...state) *variable {
		return g.pick(func(_ int, v *variable) bool {
			return v.kind == k && v.state == states[0] || v.kind == k && v.state == states[len(states)-1]
		})
	}
	var given *variable
	switch g.f.shape {
	case gives:
		given = give(text, owned, maybe)
	case makes:
		given = give(node, owned, maybe)
	case fills:
		given = give(text, owned)
	}
	if g.chance(0.3) {
		given = nil
	}
	last := g.pick(func(_ int, v *variable) bool { return v.kind == text && (v.state == owned || v.state == lent) })
	if g.chance(0.7) || g.f.shape == gives || g.f.shape == makes || g.f.shape == fills {
		last = nil
	}
	for _, v := range g.f.vars {
		if v != given && v != last && g.chance(g.care) {
			g.release(v)
		}
	}
	switch {
	case given != nil && g.f.shape == fills:
		g.line("*out = %s;", given.name)
		g.line("return 0;")
	case given != nil:
		g.line("return %s;", given.name)
	case last != nil:
		g.line("return show(%s);", last.name)
	default:
		g.line("return %s;", g.failure())
	}
}
