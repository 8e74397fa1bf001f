import { startS3Server } from '@figbase/kit/testing'
import { testCustomStorage } from './support/topology/custom-storage.js'

// processes.long.test.ts runs the same with a process per service.
testCustomStorage([], () => startS3Server())
