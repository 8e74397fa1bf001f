import { testPublished } from './support/topology/published.js'

// processes.long.test.ts runs the same with a process per service.
testPublished([])
