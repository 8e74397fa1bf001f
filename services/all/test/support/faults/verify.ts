import { setTimeout as sleep } from 'node:timers/promises'
import { pixels } from '../author.js'
import type { Load, Written } from './load.js'
import { mailsIn } from './mails.js'

/** Lost or duplicated effects of a run; empty when there are none. */
export type Losses = string[]

const settleMs = 120_000
const logLimit = 1000

type Comment = { id: string; content: string; target_id: string }
type LogItem = { action: string; target_id: string }
type Revision = { is_processing: boolean; data: { api_id: string }[] }

/**
 * Checks after the faults: every acknowledged write is present once, with the effects of its events and jobs (log
 * entries, thumbnails, mails); other writes are present at most once. Waits for pending effects.
 */
export async function verify(load: Load, dataDir: string): Promise<Losses> {
  const end = performance.now() + settleMs
  for (;;) {
    const losses = await lossesOf(load, dataDir)
    if (losses.length === 0 || performance.now() > end) return losses
    await sleep(500)
  }
}

async function lossesOf(load: Load, dataDir: string): Promise<Losses> {
  const comments = await commentsOf(load)
  const log = await logOf(load)
  return [
    ...differences(
      'comment',
      load.comments,
      comments.map(({ content }) => content.slice(0, 36)),
    ),
    ...(await revisionDifferences(load, log)),
    ...(await nameDifferences(load)),
    ...entryDifferences(comments, loggedAs(log, 'comment_create')),
    ...(await mailDifferences(comments, dataDir)),
  ]
}

const loggedAs = (log: LogItem[], action: string) =>
  log.filter((item) => item.action === action).map(({ target_id }) => target_id)

/** Missing and duplicated items. */
function differences(what: string, written: Written[], found: string[]): Losses {
  const counts = new Map<string, number>()
  for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1)
  return written.flatMap(({ key, isAcknowledged }) => {
    const count = counts.get(key) ?? 0
    if (count > 1) return [`${what} ${key}: ${count} times`]
    return isAcknowledged && count === 0 ? [`${what} ${key}: lost`] : []
  })
}

/** The log has one entry per comment of a figure. */
function entryDifferences(comments: Comment[], logged: string[]): Losses {
  const figures = [...new Set(comments.map(({ target_id }) => target_id))]
  return figures.flatMap((figure) => {
    const wanted = comments.filter(({ target_id }) => target_id === figure).length
    const found = logged.filter((id) => id === figure).length
    return found === wanted ? [] : [`figure ${figure}: ${found} log entries of ${wanted} comments`]
  })
}

async function commentsOf({ author, place }: Load): Promise<Comment[]> {
  const lists = place.figures.map((figure) =>
    author.request<Comment[]>('GET', `comment/?target_type=figure&target_id=${figure}`),
  )
  return (await Promise.all(lists)).flat()
}

async function logOf({ author, place }: Load): Promise<LogItem[]> {
  const all: LogItem[] = []
  for (;;) {
    const path = `workspace/${place.workspace}/log/?limit=${logLimit}&offset=${all.length}`
    const page = await author.request<LogItem[]>('GET', path)
    all.push(...page)
    if (page.length < logLimit) return all
  }
}

async function revisionDifferences({ author, revisions }: Load, log: LogItem[]): Promise<Losses> {
  const logged = loggedAs(log, 'create')
  const found: Written[] = []
  const losses: Losses = []
  for (const { key, isAcknowledged } of revisions) {
    const answer = await author.send('GET', `revision/${key}/`)
    const isThere = answer.outcome === 'answered'
    if (isThere) found.push({ key, isAcknowledged: true })
    if (!isThere && (isAcknowledged || answer.status !== 404)) {
      losses.push(`revision ${key}: ${answer.status}`)
    }
    if (!isThere) continue
    const revision = answer.body as Revision
    if (revision.is_processing) losses.push(`revision ${key}: still processing`)
    const path = `data/${revision.data[0]?.api_id}/`
    const { body } = await author.send('GET', path)
    if ((body as { data?: string } | undefined)?.data !== pixels)
      losses.push(`revision ${key}: data`)
    const picture = await author.send('GET', `revision/${key}/thumbnail/64/`)
    if (picture.status !== 200) losses.push(`revision ${key}: thumbnail ${picture.status}`)
  }
  return [...losses, ...differences('log entry of revision', found, logged)]
}

async function nameDifferences({ author, names }: Load): Promise<Losses> {
  const losses: Losses = []
  for (const [figure, possible] of names) {
    const { name } = await author.request<{ name: string }>('GET', `figure/${figure}/`)
    if (!possible.includes(name)) losses.push(`figure ${figure}: has an old name`)
  }
  return losses
}

/** One mail per comment with a mention. */
async function mailDifferences(comments: Comment[], dataDir: string): Promise<Losses> {
  const mentioning = comments.filter(({ content }) => content.includes('@'))
  const texts = await mailsIn(dataDir)
  const found = mentioning.flatMap(({ content }) => {
    const key = content.slice(0, 36)
    return texts.filter((text) => text.includes(key)).map(() => key)
  })
  const wanted = mentioning.map(({ content }) => ({
    key: content.slice(0, 36),
    isAcknowledged: true,
  }))
  return differences('mail about comment', wanted, found)
}
