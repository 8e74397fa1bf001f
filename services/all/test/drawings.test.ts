import { testDrawings } from './support/topology/drawings.js'

// processes.long.test.ts runs the same with a process per service.
testDrawings([])
