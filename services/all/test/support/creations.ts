import type { Author, Created } from './author.js'
import { around, transaction } from './crash-at.js'

type Figure = Created & { revisions: Created[] }

export type Creation = { name: string; points: string[]; in: Place; make(place: Places): Request }
export type Place = 'analysis' | 'figure' | 'workspace' | 'comments'
export type Places = { analysis: string; figure: string; workspace: string; source: string }
export type Request = { path: string; body: unknown }

const file = { name: 'table', type: 'file', data: Buffer.alloc(50_000, 7).toString('base64') }

/** Requests that create, and the points of their effects. */
export const creations: Creation[] = [
  {
    name: 'a figure',
    points: transaction('catalog'),
    in: 'analysis',
    make: ({ analysis }) => ({ path: 'figure/', body: { name: 'F', analysis } }),
  },
  {
    name: 'a revision',
    points: [
      ...around('revisions.put'),
      ...around('revisions.Reserve'),
      ...transaction('revisions'),
      ...around('revisions.Activate'),
    ],
    in: 'figure',
    make: ({ figure }) => ({ path: 'revision/', body: { figure, metadata: {}, data: [file] } }),
  },
  {
    name: 'a derived revision',
    points: [
      ...around('revisions.Reserve'),
      ...transaction('revisions'),
      ...around('revisions.Activate'),
    ],
    in: 'figure',
    make: ({ figure, source }) => ({ path: `revision/${source}/derive/`, body: { figure } }),
  },
  {
    name: 'a comment',
    points: transaction('comments'),
    in: 'comments',
    make: ({ figure }) => ({
      path: 'comment/',
      body: { target_type: 'figure', target_id: figure, content: 'Once' },
    }),
  },
  {
    name: 'a story',
    points: [
      ...around('stories-ai.Reserve'),
      ...transaction('stories-ai'),
      ...around('stories-ai.Activate'),
    ],
    in: 'workspace',
    make: ({ workspace }) => ({
      path: 'story/',
      body: { name: 'S', workspace, slides: [{ slide_type: 'custom', content: 'one' }] },
    }),
  },
]

export async function newPlaces(author: Author): Promise<Places> {
  const post = async (path: string, body: unknown) =>
    (await author.json<Created>('POST', path, body)).api_id
  const workspace = await post('workspace/', { name: 'W' })
  const analysis = await post('analysis/', { name: 'A', workspace })
  const figure = await post('figure/', { name: 'Empty', analysis })
  const published = await post('figure/', { name: 'Published', analysis })
  const source = await author.publish(published)
  await author.isIntact(source)
  return { workspace, analysis, figure, source: source.api_id }
}

/** The ids of what exists at a place. */
export async function idsIn(author: Author, place: Place, places: Places): Promise<string[]> {
  const { workspace, analysis, figure } = places
  const ids = (list: Created[]) => list.map(({ api_id }) => api_id)
  if (place === 'comments') {
    const path = `comment/?target_type=figure&target_id=${figure}`
    return (await author.json<{ id: string }[]>('GET', path)).map(({ id }) => id)
  }
  if (place === 'workspace') {
    const path = `workspace/${workspace}/`
    return ids((await author.json<{ stories: Created[] }>('GET', path)).stories)
  }
  if (place === 'figure') {
    return ids((await author.json<Figure>('GET', `figure/${figure}/`)).revisions)
  }
  return ids((await author.json<{ figures: Created[] }>('GET', `analysis/${analysis}/`)).figures)
}
