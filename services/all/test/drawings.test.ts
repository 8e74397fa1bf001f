import { testDrawings } from './topology/drawings.js'

// A process a service: processes.long.test.ts.
testDrawings([])
