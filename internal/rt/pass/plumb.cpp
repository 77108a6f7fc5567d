// The pass.
