import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../src/pictures.js'
import { api } from './load/jobs.js'

/** What there is before anything is measured. */
export type Seed = {
  /** Of the owner of everything. */
  headers: Record<string, string>
  /** An analysis with its figures. */
  analysis: string
  figures: string[]
  /** Empty analyses, to create figures in. */
  empty: string[]
  /** A figure with so many revisions and comments. */
  crowded: string
  /** A revision with so many data objects. */
  derivable: string
  /** A data object of `largeBytes`, and its bytes. */
  large: string
  largeFile: Buffer
  /** Figures without revisions, to publish. */
  slots: string[]
  /** The path of a thumbnail that is there, and its bytes. */
  thumbnailPath: string
  thumbnail: Buffer
}

// Enough that no object comes near the most children it may have.
const emptyCount = 20
const slotCount = 8
/** Data objects of the revision that is derived from. */
export const objectCount = 100
export const largeBytes = 20_000_000
const thumbnailMsMax = 30_000

/** How many there are of what only some operations need. */
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
  const [analysis = '', shelf = '', ...empty] = await several(2 + emptyCount, 'analysis', (n) => ({
    name: `Analysis ${n}`,
    workspace,
  }))
  const figureIn = (place: string) => (n: number) => ({
    name: `Figure ${n}`,
    description: 'Counts over depth',
    analysis: place,
  })
  const figures = await several(figureCount, 'figure', figureIn(analysis))
  const slots = await several(slotCount, 'figure', figureIn(shelf))

  const { api_id: crowded } = await post('figure', figureIn(shelf)(slotCount + 1))
  const data = [{ name: 'notes', type: 'text', data: base64('some notes') }]
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
  const { api_id: figure } = await post('figure', figureIn(shelf)(slotCount))
  const { api_id: revision } = await post('revision', { figure, data: [image] })
  const thumbnailPath = `${api}/revision/${revision}/thumbnail/256/?dl=1`
  const thumbnail = await thumbnailAt(origin + thumbnailPath, headers)
  const lists = { figures, empty, slots, large, largeFile }
  return { headers, analysis, crowded, derivable, ...lists, thumbnailPath, thumbnail }
}

/** Of the length that comments have. */
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
