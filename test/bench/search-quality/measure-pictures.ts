import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  comparer,
  describePicture,
  type PictureDescriptor,
  PictureIndex,
  sameFrom,
} from '@figbase/search/pictures'
import { type Distortion, distortions } from './distortions.js'
import { areNearlyIdentical, type EdgePixels, edgePixels } from './nearly-identical.js'

/** Figures by name: those with an even index were used for tuning, the others are for the report. */
export type Half = 'tuned' | 'reported'

/** Of one distortion. Scores are from 0 to 1. */
export type DistortionFigures = {
  name: string
  /** The part of the queries whose own picture, or a nearly identical one, comes first. */
  recallAt1: number
  /** The part of the queries whose own picture has at least the score `sameFrom`. */
  sameOwn: number
  medianOwn: number
  /** The highest score of a picture that is not the same. */
  highestOther: number
  misses: string[]
}

export type PictureFigures = {
  half: Half
  queries: number
  pictures: number
  sameFrom: number
  distortions: DistortionFigures[]
  /** Pairs of unlike pictures with at least the score `sameFrom`, with the distortion. */
  falseSame: string[]
  /** Decided by pixels: these may be found for each other. */
  nearlyIdentical: string[]
  /** Decided by pixels: the same on another background, or with other grid lines. They are not false, but misses. */
  sameDrawing: string[]
}

type Figure = {
  name: string
  bytes: Buffer
  descriptor: PictureDescriptor
  edges: EdgePixels
  strong: EdgePixels
}

const candidateCount = 50
const quickQueries = 8

/** Finds distorted pictures of one half of the corpus among all of it. `corpus`: its directory of figures. */
export async function measurePictures(
  corpus: string,
  half: Half = 'reported',
  quick = false,
): Promise<PictureFigures> {
  const names = (await readdir(corpus)).filter((name) => name.endsWith('.png')).sort()
  const figures = await Promise.all(names.map((name) => readFigure(corpus, name)))
  const index = new PictureIndex()
  for (const { name, descriptor } of figures) index.set(name, descriptor.global)
  const ofHalf = figures.filter((_, i) => i % 2 === (half === 'tuned' ? 0 : 1))
  const queries = quick ? ofHalf.slice(0, quickQueries) : ofHalf
  const falseSame: string[] = []
  const measured: DistortionFigures[] = []
  for (const distortion of distortions)
    measured.push(await measure(distortion, queries, figures, index, falseSame))
  return {
    half,
    queries: queries.length,
    pictures: figures.length,
    sameFrom,
    distortions: measured,
    falseSame,
    nearlyIdentical: pairsOf(figures, isSame),
    sameDrawing: pairsOf(figures, (a, b) => isSameDrawing(a, b) && !isSame(a, b)),
  }
}

async function readFigure(corpus: string, name: string): Promise<Figure> {
  const bytes = await readFile(join(corpus, name))
  return {
    name,
    bytes,
    descriptor: await describePicture(bytes),
    edges: await edgePixels(bytes, 'all'),
    strong: await edgePixels(bytes, 'strong'),
  }
}

async function measure(
  { name, apply }: Distortion,
  queries: Figure[],
  figures: Figure[],
  index: PictureIndex,
  falseSame: string[],
): Promise<DistortionFigures> {
  const own: number[] = []
  const misses: string[] = []
  let highestOther = 0
  for (const [seed, query] of queries.entries()) {
    const descriptor = await describePicture(await apply(query.bytes, seed))
    const scoreOf = comparer(descriptor)
    const found = index
      .candidates(descriptor.global, candidateCount)
      .map(({ slot }) => figures[slot] as Figure)
      .map((figure) => ({ figure, score: scoreOf(figure.descriptor) }))
      .sort((a, b) => b.score - a.score)
    own.push(found.find(({ figure }) => figure === query)?.score ?? 0)
    const first = found[0]?.figure
    if (!first || !isSame(query, first)) misses.push(`${query.name}: found ${first?.name}`)
    for (const { figure, score } of found) {
      if (isSame(query, figure) || isSameDrawing(query, figure)) continue
      highestOther = Math.max(highestOther, score)
      if (score >= sameFrom) falseSame.push(`${name}: ${query.name}, ${figure.name}: ${score}`)
    }
  }
  own.sort((a, b) => a - b)
  return {
    name,
    recallAt1: 1 - misses.length / queries.length,
    sameOwn: own.filter((score) => score >= sameFrom).length / queries.length,
    medianOwn: own[own.length >> 1] ?? 0,
    highestOther,
    misses,
  }
}

const isSame = (a: Figure, b: Figure) => a === b || areNearlyIdentical(a.edges, b.edges)

const isSameDrawing = (a: Figure, b: Figure) => areNearlyIdentical(a.strong, b.strong)

const pairsOf = (figures: Figure[], areAlike: (a: Figure, b: Figure) => boolean) =>
  figures.flatMap((a, i) =>
    figures
      .slice(0, i)
      .filter((b) => areAlike(a, b))
      .map((b) => `${b.name}, ${a.name}`),
  )
