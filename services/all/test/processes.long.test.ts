// What other tests of a whole run do in one process, here in a process a service: each start costs six processes.
import { startS3Server } from '@figbase/kit/testing'
import { testCustomStorage } from './topology/custom-storage.js'
import { testDrawings } from './topology/drawings.js'
import { testPublished } from './topology/published.js'
import { testSshKeys } from './topology/ssh-keys.js'

const args = ['--distributed']
testCustomStorage(args, () => startS3Server())
testDrawings(args)
testPublished(args)
testSshKeys(args)
