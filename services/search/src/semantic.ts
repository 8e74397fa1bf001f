/** The parts of semantic search, for benchmarks. */
export { bundledModel, createBundledEmbedder } from './embedding/bundled/bundled.js'
export { meanVector } from './embedding/mean-vector.js'
export type { Embedder } from './embedding/port.js'
export { describeFigure, type FigureText } from './figure-text/describe-figure.js'
export { fuseHits, type ScoredHit } from './fusion/fuse-hits.js'
export { createOcrPool } from './ocr/ocr-pool.js'
export { createVectorIndex } from './vectors/vector-index.js'
