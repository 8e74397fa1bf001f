import { EmbedderError } from '../port.js'
import { unitVector } from '../unit-vector.js'

/** The vectors of a response, in the order of the texts. Throws an EmbedderError if it is not as documented. */
export function parseVectors(body: string, count: number, dimensions: number): Float32Array[] {
  const data = dataOf(body)
  if (!Array.isArray(data)) throw invalid('there is no `data`')
  if (data.length !== count) throw invalid(`${data.length} vectors for ${count} texts`)
  const vectors: Float32Array[] = []
  for (const [position, item] of data.entries()) {
    const { index = position, embedding } = Object(item)
    if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index]) {
      throw invalid(`the index ${JSON.stringify(index)}`)
    }
    vectors[index] = toVector(embedding, dimensions)
  }
  return vectors
}

function toVector(embedding: unknown, dimensions: number) {
  if (!Array.isArray(embedding)) throw invalid('a vector that is not an array')
  if (embedding.length !== dimensions) {
    throw invalid(
      `a vector of ${embedding.length} instead of ${dimensions} numbers; set EMBEDDER_DIMENSIONS`,
    )
  }
  const isNumeric = embedding.every((value) => Number.isFinite(value))
  const vector = isNumeric ? unitVector(embedding) : undefined
  if (!vector) throw invalid('a vector without a direction')
  return vector
}

function dataOf(body: string): unknown {
  try {
    return Object(JSON.parse(body)).data
  } catch {
    throw invalid('no JSON')
  }
}

const invalid = (problem: string) =>
  new EmbedderError(`the embedding server responded with ${problem}`, false)
