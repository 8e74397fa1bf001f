import { testSimilarity } from './figure-similarity.js'

testSimilarity(1)
