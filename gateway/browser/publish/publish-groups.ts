import { type Group, publish } from '@figbase/client'
import { figbase } from './session.js'
import { uploads } from './uploads.js'

export type Destination = { kind: 'figure' | 'analysis'; id: string }

type Options = {
  /** Instead of that of the files. */
  description: string
  signal: AbortSignal
  /** The bytes of all groups. */
  onSent: (bytes: number) => void
  onPublished: (group: Group<File>) => void
}

/** Publishes each group as a revision of the figure, or of the figure of the analysis with its name. Returns the page to show. */
export async function publishGroups(
  to: Destination,
  groups: Group<File>[],
  { description, signal, onSent, onPublished }: Options,
): Promise<string> {
  const figureOf = to.kind === 'figure' ? async () => to.id : await figuresOf(to.id, signal)
  let page = `/${to.kind}/${to.id}/`
  let before = 0
  for (const group of groups) {
    const text = description || (await group.description?.text())
    const { api_id } = await publish(figbase, {
      figure: await figureOf(group.name),
      image: group.image,
      code: group.code,
      data: group.data,
      uploads,
      signal,
      onProgress: ({ sentBytes }) => onSent(before + sentBytes),
      ...(text && { description: text }),
    })
    before += bytesOf(group)
    onSent(before)
    onPublished(group)
    if (to.kind === 'figure') page = `/r/${api_id}/`
  }
  return page
}

export const bytesOf = ({ image, code, data }: Group<File>): number =>
  [...image, ...code, ...data].reduce((sum, { size }) => sum + size, 0)

/** The figures of an analysis by their names; those that are missing are created. Of several with a name, the oldest. */
async function figuresOf(analysis: string, signal: AbortSignal) {
  const query = { fields: 'figures' }
  const { figures } = await figbase.get('/analysis/{id}/', {
    path: { id: analysis },
    query,
    signal,
  })
  const known = new Map(figures.map(({ name, api_id }) => [name, api_id] as const).reverse())
  return async (name: string): Promise<string> => {
    const id =
      known.get(name) ??
      (await figbase.post('/figure/', { body: { name, analysis }, signal })).api_id
    known.set(name, id)
    return id
  }
}
