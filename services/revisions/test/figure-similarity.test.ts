import { testSimilarity } from './figure-similarity.js'

// The long test figure-similarity.long.test.ts checks all figures.
testSimilarity(4)
