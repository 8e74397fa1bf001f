import { testSshKeys } from './topology/ssh-keys.js'

// A process a service: processes.long.test.ts.
testSshKeys([])
