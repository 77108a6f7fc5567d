package main

// This file is the process between the tool that runs a program and the program:
// it knows what the program alone cost, without what plumb run does around it.

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A cost is what one run of a program took. The peak of a program smaller than
// this process is this process's own, as exec keeps it.
type cost struct {
	User time.Duration
	Peak int64 // resident memory, bytes
}

// runChild runs a program in its own place, writes what it cost to a file and
// ends with its status.
func runChild(file string, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	data, err := json.Marshal(cost{User: cmd.ProcessState.UserTime(), Peak: usage.Maxrss * 1024})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		return err
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		os.Exit(code)
	}
	return nil
}
