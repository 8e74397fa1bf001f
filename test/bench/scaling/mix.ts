import { samples } from '../../src/images.js'
import { api, type Target } from '../load/jobs.js'
import { pngTail } from '../noise.js'
import { type Seed, seed } from '../seed.js'

/** An operation of the mix. */
export type MixOperation = {
  name: string
  title: string
  /** How many of 1000 requests. */
  share: number
  /** How many requests are measured. */
  requests: number
  target: Target
}

/** How many of 1000 requests are of each kind: mostly reading, as people look at figures more often than they publish. */
const shares = {
  read: { title: 'read a figure', share: 300, requests: 600 },
  open: { title: 'read a figure with 10 revisions', share: 100, requests: 600 },
  list: { title: 'read an analysis with 100 figures', share: 150, requests: 400 },
  thumbnail: { title: 'read a thumbnail', share: 250, requests: 600 },
  download: { title: 'download a picture', share: 50, requests: 300 },
  words: { title: 'search by words', share: 40, requests: 300 },
  meaning: { title: 'search by meaning', share: 10, requests: 100 },
  story: { title: 'read a story', share: 10, requests: 300 },
  comment: { title: 'comment on a figure', share: 30, requests: 300 },
  create: { title: 'create a figure', share: 25, requests: 300 },
  publish: { title: 'publish a figure: PNG, SVG, code', share: 30, requests: 60 },
  signIn: { title: 'sign in', share: 5, requests: 60 },
}
type Name = keyof typeof shares

const pictures = 40
const publications = 400
const figureCount = 100

/** Fills a product, and makes the operations. */
export async function makeMix(origin: string, quick: boolean): Promise<MixOperation[]> {
  const seeded = await seed(origin, figureCount)
  const targets = await makeTargets(origin, seeded)
  return Object.entries(shares).map(([name, { requests, ...one }]) => ({
    name,
    ...one,
    requests: quick ? Math.ceil(requests / 5) : requests,
    target: targets[name as Name],
  }))
}

async function makeTargets(origin: string, seeded: Seed): Promise<Record<Name, Target>> {
  const { headers, figures, revised, analysis, empty, slots, thumbnailPath } = seeded
  const send = async (path: string, body: object): Promise<Created> => {
    const url = `${origin}${api}/${path}/`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as Created
  }
  const bodies = publicationsTo(slots)
  const { data, api_id: revision } = await send('revision', JSON.parse(bodies[0] ?? ''))
  const { api_id: workspace } = await send('workspace', { name: 'Told' })
  const story = { name: 'Warming', workspace, revisions: [revision] }
  const { api_id: told } = await send('story', story)

  const get = (...paths: string[]): Target => ({
    method: 'GET',
    paths: paths.map((path) => api + path),
    headers,
    status: 200,
  })
  const post = (path: string, texts: object[], status = 201): Target => ({
    method: 'POST',
    paths: [path],
    headers,
    bodies: texts.map((text) => Buffer.from(JSON.stringify(text))),
    status,
  })
  const search = (search_type: string, ...queries: string[]) =>
    post(
      `${api}/search/`,
      queries.map((query) => ({ search_type, query })),
      200,
    )
  return {
    read: get(...figures.map((figure) => `/figure/${figure}/`)),
    open: get(`/figure/${revised}/`),
    list: get(`/analysis/${analysis}/`),
    thumbnail: { ...get(), paths: [thumbnailPath] },
    download: get(`/data/${data[0]?.api_id}/?dl=1`),
    words: search('keyword', 'figure', 'counts depth', 'analysis', 'climate'),
    meaning: search('semantic', ...Array.from({ length: 400 }, (_, n) => `rain of year ${n}`)),
    story: get(`/story/${told}/`),
    comment: post(
      `${api}/comment/`,
      figures.map((target_id) => ({ target_type: 'figure', target_id, content: 'A comment' })),
    ),
    create: post(
      `${api}/figure/`,
      empty.map((place) => ({ name: 'Monthly means', description: 'Counts', analysis: place })),
    ),
    publish: { ...post(`${api}/revision/`, []), bodies: bodies.map((body) => Buffer.from(body)) },
    signIn: post('/api/token/', [{ username: 'ada', password: 'correct horse battery' }], 200),
  }
}

type Created = { api_id: string; data: { api_id: string }[] }

/** Publications of figures of the corpus, each with different files. */
function publicationsTo(slots: string[]): string[] {
  const end = 12
  const figures = samples(pictures)
  return Array.from({ length: publications }, (_, n) => {
    const { png, svg, code } = figures[n % figures.length] ?? { png: none, svg: none, code: none }
    const image = (format: string, bytes: Buffer) => ({
      name: `figure.${format}`,
      type: 'image',
      metadata: { format },
      data: bytes.toString('base64'),
    })
    const source = Buffer.concat([code, Buffer.from(`\n# ${n}`)])
    const data = [
      image('png', Buffer.concat([png.subarray(0, png.length - end), pngTail()])),
      image('svg', Buffer.concat([svg, Buffer.from(`<!-- ${n} -->`)])),
      { name: 'code', type: 'code', metadata: {}, data: source.toString('base64') },
    ]
    return JSON.stringify({ figure: slots[n % slots.length], data })
  })
}

const none = Buffer.alloc(0)
