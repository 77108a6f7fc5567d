// This file mends objects that nothing ever held: results that nobody takes, and
// arguments that nobody keeps.

package fix

import "github.com/plumb-project/plumb/internal/edit"

// holdResult gives the object a variable for as long as it is needed.
//
//	use(strdup(x));	-> char *tmp = strdup(x);
//			   use(tmp);
//			   free(tmp);
func holdResult(s *spot) []option {
	if s.inCallee() || s.o.place != nil || len(s.names()) > 0 {
		return nil
	}
	pos := s.p.base.Leak.Position(s.o.fn, s.o.site)
	callee := s.p.base.Program.Funcs[s.o.fn].Callee(s.o.site)
	name := ""
	if callee != 0 {
		name = s.p.base.Program.Funcs[callee].SourceName()
	}
	call := s.f.CallAt(pos.Line, pos.Col, name)
	if call == nil {
		call = s.f.CallAt(pos.Line, pos.Col, "")
	}
	if call == nil || call.EnclosingStmt() == nil {
		return nil
	}
	tmp := s.f.Fresh(s.stmt, "tmp")
	what, ok := s.release(tmp)
	if !ok {
		return nil
	}
	var out []option
	for _, text := range s.texts(what, tmp) {
		edits, err := edit.Hold(s.f, call, "", tmp, text)
		if err != nil {
			null, e := s.f.Unit.Null(s.p.ctx, s.f.Text)
			if e != nil {
				return nil
			}
			edits, err = edit.HoldMaybe(s.f, call, "", tmp, null, text)
		}
		out = append(out, s.option(what, place{"after the statement", call.EnclosingStmt().Line}, edits, err)...)
	}
	return out
}
