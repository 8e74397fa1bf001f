import { readFile } from 'node:fs/promises'
import { FigbaseError, findOrCreate, type PublishInit, publish } from '@figbase/client'
import pLimit from 'p-limit'
import type { Connection } from './connection.js'
import { type LocalFile, openFile } from './files.js'
import type { Group } from './groups.js'
import type { Progress } from './progress.js'
import { storedUploads } from './uploads.js'

/** The figures of an analysis, which is a path of names or an id; or one figure with an id. */
export type Destination = { analysis: string[] | string } | { figure: string }

export type Outcome = { figure: string; name: string; api_id: string; is_new: boolean; url: string }

export type PublishOptions = {
  metadata?: Record<string, unknown>
  /** In place of the description of each group. */
  description?: string
  /** Ids of asset revisions. */
  assets?: string[]
  /** Whether figures that have not changed are published, too. */
  force?: boolean
  signal?: AbortSignal
}

const concurrency = 4

/**
 * Publishes figures. What is wrong with one figure ends it alone; what would be wrong with the others, too, as a server
 * that is unavailable, ends all. Returns what was published.
 */
export async function publishGroups(
  connection: Connection,
  to: Destination,
  groups: Group[],
  options: PublishOptions,
  progress: Progress,
): Promise<Outcome[]> {
  const opened = await Promise.all(groups.map(open))
  const bytes = opened.reduce((sum, one) => sum + one.bytes, 0)
  progress.begin(opened.length, bytes)
  const figureOf = await figures(connection, to)
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const limit = pLimit(concurrency)
  const outcomes = await limit.map(opened, async (one) => {
    signal.throwIfAborted()
    try {
      const figure = await figureOf(one.name)
      const outcome = await publishOne(connection, figure, one, { ...options, signal }, progress)
      progress.done(outcome)
      return outcome
    } catch (error) {
      if (!isOfOneFigure(error)) {
        stop.abort(error)
        throw error
      }
      progress.failed(one.name, error)
      return undefined
    }
  })
  return outcomes.filter((outcome) => outcome !== undefined)
}

const isOfOneFigure = (error: unknown) =>
  error instanceof FigbaseError && [400, 404, 409, 413, 422].includes(error.status)

type Opened = Pick<PublishInit, 'image' | 'code' | 'data' | 'description'> & {
  name: string
  bytes: number
}

async function open({ name, image, code, data, description }: Group): Promise<Opened> {
  const files = { image: await all(image), code: await all(code), data: await all(data) }
  const bytes = Object.values(files)
    .flat()
    .reduce((sum, { source }) => sum + source.size, 0)
  if (description === undefined) return { name, ...files, bytes }
  return { name, ...files, bytes, description: await readFile(description, 'utf8') }
}

const all = (paths: string[]): Promise<LocalFile[]> => Promise.all(paths.map(openFile))

/** Finds figures by their names, with one request for all; those that are missing are created. */
async function figures(
  { figbase }: Connection,
  to: Destination,
): Promise<(name: string) => Promise<string>> {
  if ('figure' in to) return async () => to.figure
  const analysis =
    typeof to.analysis === 'string'
      ? to.analysis
      : (await findOrCreate(figbase, to.analysis)).api_id
  const path = { id: analysis }
  const found = await figbase.get('/analysis/{id}/', { path, query: { fields: 'figures' } })
  const known = new Map<string, string>()
  for (const { name, api_id } of found.figures) {
    // Of several with a name, the oldest, as everywhere.
    if (!known.has(name)) known.set(name, api_id)
  }
  return async (name) => {
    const id = known.get(name)
    return id ?? (await figbase.post('/figure/', { body: { name, analysis } })).api_id
  }
}

async function publishOne(
  { figbase }: Connection,
  figure: string,
  { name, bytes, ...files }: Opened,
  { metadata, description, assets, force, signal }: PublishOptions,
  progress: Progress,
): Promise<Outcome> {
  let sent = 0
  const report = (bytes: number) => {
    progress.sent(bytes - sent)
    sent = bytes
  }
  const { api_id, isNew, url } = await publish(figbase, {
    ...files,
    figure,
    skipUnchanged: !force,
    uploads: storedUploads(figbase.url),
    onProgress: ({ sentBytes }) => report(sentBytes),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata }),
    ...(assets !== undefined && { assets }),
    signal,
  })
  report(bytes)
  return { figure, name, api_id, is_new: isNew, url }
}
