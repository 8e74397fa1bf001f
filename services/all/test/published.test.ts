import { testPublished } from './topology/published.js'

// A process a service: processes.long.test.ts.
testPublished([])
