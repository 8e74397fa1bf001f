import { startS3Server } from '@figbase/kit/testing'
import { testCustomStorage } from './topology/custom-storage.js'

// A process a service: processes.long.test.ts.
testCustomStorage([], () => startS3Server())
