import { testSshKeys } from './support/topology/ssh-keys.js'

// processes.long.test.ts runs the same with a process per service.
testSshKeys([])
