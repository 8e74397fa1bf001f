// Runs tests that also run all-in-one with a process per service: each start costs six processes.
import { startS3Server } from '@figbase/kit/testing'
import { testCustomStorage } from './support/topology/custom-storage.js'
import { testDrawings } from './support/topology/drawings.js'
import { testPublished } from './support/topology/published.js'
import { testSshKeys } from './support/topology/ssh-keys.js'

const args = ['--distributed']
testCustomStorage(args, () => startS3Server())
testDrawings(args)
testPublished(args)
testSshKeys(args)
