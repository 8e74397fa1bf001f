import { type Figbase, list, type Schemas } from '@figbase/client'
import { type CommonOptions, connect } from '../connection.js'
import { usageError } from '../failure.js'
import { bold, dim, printLine, show } from '../output.js'
import { readInput } from '../prompt.js'
import { type Reference, resolveKind } from '../reference.js'
import { plain, toTime } from '../text.js'

type Options = CommonOptions & { reply?: string }

const commented = ['figure', 'revision', 'asset', 'asset_revision'] as const
type Target = Reference & { kind: (typeof commented)[number] }

/** Adds a comment, `-` from standard input; without a text, lists the comments. */
export async function comment(
  text: string,
  content: string | undefined,
  { reply, ...options }: Options,
): Promise<void> {
  if (content === undefined && reply !== undefined) throw usageError('A reply needs a text')
  const { figbase, ...connection } = await connect(options)
  const target = await resolveKind({ figbase, ...connection }, text, commented)
  if (content === undefined) {
    const comments = await commentsOn(figbase, target)
    show(options.json, comments, () => comments.forEach(printComment))
    return
  }
  const written = await figbase.post('/comment/', {
    body: {
      target_type: typeOf(target),
      target_id: target.api_id,
      content: content === '-' ? (await readInput()).trimEnd() : content,
      ...(reply !== undefined && { parent_comment_id: reply }),
    },
  })
  show(options.json, written, () => printLine(`commented  ${plain(written.id)}`))
}

const typeOf = ({ kind }: Target) => (kind === 'revision' ? ('figure_revision' as const) : kind)

async function commentsOn(figbase: Figbase, target: Target): Promise<Schemas['Comment'][]> {
  const query = { target_type: typeOf(target), target_id: target.api_id }
  const found: Schemas['Comment'][] = []
  for await (const one of list(figbase, '/comment/', { query })) found.push(one)
  return found
}

function printComment({ id, user, created_on, content, parent_comment_id }: Schemas['Comment']) {
  const indent = parent_comment_id === null ? '' : '  '
  const head = `${bold(plain(user.username))} ${dim(`${toTime(created_on)}  ${plain(id)}`)}`
  printLine(`${indent}${head}`)
  for (const line of content.split('\n')) printLine(`${indent}  ${plain(line)}`)
}
