// This file reads what an SMT-LIB solver answers.

package solve

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxReply bounds an answer, in bytes.
const maxReply = 1 << 22

// A reply is one expression: a word, or a list of replies.
type reply struct {
	word string
	list []reply
	open bool // it is a list
}

// readReply reads the next expression. "success" is passed over.
func readReply(in *bufio.Reader) (reply, error) {
	budget := maxReply
	for {
		r, err := readExpr(in, &budget, 0)
		if err != nil || r.word != "success" {
			return r, err
		}
	}
}

var errNonsense = errors.New("the solver's answer is no SMT-LIB")

func readExpr(in *bufio.Reader, budget *int, depth int) (reply, error) {
	c, err := skipSpace(in, budget)
	if err != nil {
		return reply{}, err
	}
	switch {
	case c == '(':
		if depth > 100 {
			return reply{}, errNonsense
		}
		r := reply{open: true}
		for {
			c, err := skipSpace(in, budget)
			if err != nil {
				return reply{}, err
			}
			if c == ')' {
				return r, nil
			}
			if err := in.UnreadByte(); err != nil {
				return reply{}, err
			}
			e, err := readExpr(in, budget, depth+1)
			if err != nil {
				return reply{}, err
			}
			r.list = append(r.list, e)
		}
	case c == ')':
		return reply{}, errNonsense
	case c == '"' || c == '|':
		text, err := in.ReadString(c)
		if *budget -= len(text); err == nil && *budget < 0 {
			err = errNonsense
		}
		return reply{word: string(c) + text}, err
	}
	word := []byte{c}
	for {
		c, err := in.ReadByte()
		if err != nil {
			return reply{}, err
		}
		if *budget--; *budget < 0 {
			return reply{}, errNonsense
		}
		if c <= ' ' || c == '(' || c == ')' || c == '"' {
			return reply{word: string(word)}, in.UnreadByte()
		}
		word = append(word, c)
	}
}

// skipSpace returns the next byte that is not space or comment.
func skipSpace(in *bufio.Reader, budget *int) (byte, error) {
	for {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if *budget--; *budget < 0 {
			return 0, errNonsense
		}
		switch {
		case c == ';':
			text, err := in.ReadString('\n')
			if err != nil {
				return 0, err
			}
			*budget -= len(text)
		case c > ' ':
			return c, nil
		}
	}
}

// short is the reply as one line that fits into a message.
func (r reply) short() string {
	s := r.String()
	if len(s) > 80 {
		s = s[:80] + "…"
	}
	return s
}

func (r reply) String() string {
	if !r.open {
		return r.word
	}
	words := make([]string, len(r.list))
	for i, e := range r.list {
		words[i] = e.String()
	}
	return "(" + strings.Join(words, " ") + ")"
}

// values reads the answer to get-value, for n terms: ((term value) ...).
func (r reply) values(n int) ([]uint64, error) {
	if !r.open || len(r.list) != n {
		return nil, fmt.Errorf("the solver gave no values: %s", r.short())
	}
	vs := make([]uint64, n)
	for i, pair := range r.list {
		if len(pair.list) != 2 {
			return nil, fmt.Errorf("the solver gave no value: %s", pair.short())
		}
		v, err := pair.list[1].value()
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	return vs, nil
}

// value reads #x1f, #b101, true, false and (_ bv31 8).
func (r reply) value() (uint64, error) {
	var v uint64
	err := errNonsense
	switch {
	case r.word == "true":
		return 1, nil
	case r.word == "false":
		return 0, nil
	case strings.HasPrefix(r.word, "#x"):
		v, err = strconv.ParseUint(r.word[2:], 16, 64)
	case strings.HasPrefix(r.word, "#b"):
		v, err = strconv.ParseUint(r.word[2:], 2, 64)
	case len(r.list) == 3 && r.list[0].word == "_" && strings.HasPrefix(r.list[1].word, "bv"):
		v, err = strconv.ParseUint(r.list[1].word[2:], 10, 64)
	}
	if err != nil {
		return 0, fmt.Errorf("the solver gave the value %s", r.short())
	}
	return v, nil
}
