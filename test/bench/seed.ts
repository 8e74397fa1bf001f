import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../src/images.js'
import { api } from './load/jobs.js'

/** The objects that are created before the measurements. */
export type Seed = {
  /** The headers of the owner of all objects. */
  headers: Record<string, string>
  /** An analysis with figures. */
  analysis: string
  figures: string[]
  /** Empty analyses, to create figures in. */
  empty: string[]
  /** A figure with `fewRevisions`. */
  revised: string
  /** A figure with `revisionCount` revisions and `commentCount` comments. */
  crowded: string
  /** A revision with `objectCount` data objects. */
  derivable: string
  /** A data object of `largeBytes`, and its content. */
  large: string
  largeFile: Buffer
  /** Figures without revisions, to publish to. */
  slots: string[]
  /** The path of an existing thumbnail, and its bytes. */
  thumbnailPath: string
  thumbnail: Buffer
}

// Enough that no object reaches its maximum number of children.
const emptyCount = 20
const slotCount = 8
/** The number of data objects of the source of derived revisions. */
export const objectCount = 100
export const largeBytes = 20_000_000
/** The number of revisions of a typical figure. */
export const fewRevisions = 10
const thumbnailMsMax = 30_000

/** The numbers of objects that only some operations need. */
export type Crowds = { revisions: number; comments: number }

export async function seed(
  origin: string,
  figureCount: number,
  crowds: Crowds = { revisions: 0, comments: 0 },
): Promise<Seed> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<Created> => {
    const url = `${origin}${api}/${path}/`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as Created
  }
  const several = async (count: number, path: string, body: (index: number) => object) => {
    const ids: string[] = []
    for (let index = 0; index < count; index++) ids.push((await post(path, body(index))).api_id)
    return ids
  }
  const user = await post('user', {
    username: 'ada',
    email: 'ada@example.org',
    password: 'correct horse battery',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  headers.authorization = `Bearer ${user.auth?.access}`

  const { api_id: workspace } = await post('workspace', { name: 'Climate' })
  const [analysis = '', otherAnalysis = '', ...empty] = await several(
    2 + emptyCount,
    'analysis',
    (n) => ({
      name: `Analysis ${n}`,
      workspace,
    }),
  )
  const figureIn = (place: string) => (n: number) => ({
    name: `Figure ${n}`,
    description: 'Counts over depth',
    analysis: place,
  })
  const figures = await several(figureCount, 'figure', figureIn(analysis))
  const slots = await several(slotCount, 'figure', figureIn(otherAnalysis))

  const { api_id: crowded } = await post('figure', figureIn(otherAnalysis)(slotCount + 1))
  const data = [{ name: 'notes', type: 'text', data: base64('some notes') }]
  const { api_id: revised } = await post('figure', figureIn(otherAnalysis)(slotCount + 2))
  await several(fewRevisions, 'revision', () => ({ figure: revised, data }))
  await several(crowds.revisions, 'revision', () => ({ figure: crowded, data }))
  const on = { target_type: 'figure', target_id: crowded }
  await several(crowds.comments, 'comment', (n) => ({ ...on, content: commentOf(n) }))

  const objects = Array.from({ length: objectCount }, (_, n) => ({
    name: `notes ${n}`,
    type: 'text',
    data: base64(`some notes ${n}`),
  }))
  const derivable = (await post('revision', { figure: slots[0], data: objects })).api_id

  const largeFile = randomBytes(largeBytes)
  const file = { name: 'large', type: 'file', data: largeFile.toString('base64') }
  const published = await post('revision', { figure: slots[1], data: [file] })
  const large = published.data?.[0]?.api_id ?? ''

  const image = { name: 'figure', type: 'image', data: png(1200, 900).toString('base64') }
  const { api_id: figure } = await post('figure', figureIn(otherAnalysis)(slotCount))
  const { api_id: revision } = await post('revision', { figure, data: [image] })
  const thumbnailPath = `${api}/revision/${revision}/thumbnail/256/?dl=1`
  const thumbnail = await thumbnailAt(origin + thumbnailPath, headers)
  const lists = { figures, empty, slots, large, largeFile }
  return { headers, analysis, revised, crowded, derivable, ...lists, thumbnailPath, thumbnail }
}

/** A comment of typical length. */
export const commentOf = (n: number): string =>
  `Comment ${n}: the axis on the left should have a **unit**, should it not?`

const base64 = (text: string) => Buffer.from(text).toString('base64')

type Created = { api_id: string; auth?: { access: string }; data?: { api_id: string }[] }

async function thumbnailAt(url: string, headers: Record<string, string>): Promise<Buffer> {
  const end = performance.now() + thumbnailMsMax
  for (;;) {
    const response = await fetch(url, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status === 200) return bytes
    if (performance.now() > end) throw new Error(`no thumbnail: ${response.status}`)
    await sleep(20)
  }
}
