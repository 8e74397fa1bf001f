import { html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, resultOf, tried } from '../form-problem.js'
import { path } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml, paragraphHtml } from '../text.js'
import { commentFormPage, contentIn } from './comment-form.js'
import { peopleOf } from './people.js'
import { react } from './react.js'
import { readComment } from './read-comment.js'

const { figure, figureRevision, asset, assetRevision } = kinds

/** Writing, editing and deleting comments. */
export const talkPages: Route[] = [figure, figureRevision, asset, assetRevision].flatMap((kind) => {
  const address = `/${kind.segment}/:id/comment/`
  const query = z.object({ answer: z.string().optional() })
  return [
    userPage(address, (input) => writePage(input, kind), { query }),
    { ...userForm(address, (input) => write(input, kind)), query },
    peopleOf(kind),
    userPage(`${address}:comment/edit/`, (input) => editPage(input, kind)),
    userForm(`${address}:comment/edit/`, (input) => edit(input, kind)),
    userPage(`${address}:comment/delete/`, (input) => questionPage(input, kind)),
    userForm(`${address}:comment/delete/`, (input) => remove(input, kind)),
    userForm(`${address}:comment/react/`, (input) => react(input, backTo(input, kind))),
  ]
})

const commentIn = ({ params: { comment = '' } }: Input) => comment
const answeredIn = ({ query }: Input) => (query as { answer?: string }).answer ?? ''
const backTo = (input: Input, { type }: Kind) => pagePath({ id: idIn(input), type })

type Typed = { content?: string; problem?: Problem; isPreview?: boolean }

async function writePage(input: Input, kind: Kind, typed: Typed = {}): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const id = answeredIn(input)
  const [placed, answered] = await Promise.all([
    getPlaced(input, idIn(input), kind.type),
    id ? readComment(input, kind, idIn(input), id) : undefined,
  ])
  const back = backTo(input, kind)
  const quote = answered
    ? html`<blockquote>${paragraphHtml(answered.content)}</blockquote>`
    : html``
  const above = html`${path(texts, placed.ancestors)}${quote}`
  const title = answered
    ? t('comments.answerTo', { name: nameHtml(answered.author) })
    : t('comments.write')
  return commentFormPage(input, { content: '', ...typed, title, above, back })
}

async function write(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const content = contentIn(input.body)
  if (isPreview(input)) {
    return { status: 200, page: await writePage(input, kind, { content, isPreview: true }) }
  }
  const request = {
    targetId: idIn(input),
    targetType: kind.type,
    content,
    parentCommentId: answeredIn(input),
  }
  const created = await tried(input.services.comments.createComment(request, input.call))
  if (created.problem) {
    const { problem } = created
    return { status: problem.status, page: await writePage(input, kind, { content, problem }) }
  }
  return { to: `${backTo(input, kind)}#comment-${required(created.value.comment).id}` }
}

async function editPage(input: Input, kind: Kind, typed: Typed = {}): Promise<Page> {
  const { content } = await readComment(input, kind, idIn(input), commentIn(input))
  const title = textsOf(input).t('comments.edit')
  return commentFormPage(input, { content, ...typed, title, back: backTo(input, kind) })
}

async function edit(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const content = contentIn(input.body)
  if (isPreview(input)) {
    return { status: 200, page: await editPage(input, kind, { content, isPreview: true }) }
  }
  const id = commentIn(input)
  return resultOf(
    input.services.comments.updateComment({ id, content }, input.call),
    `${backTo(input, kind)}#comment-${id}`,
    (problem) => editPage(input, kind, { content, problem }),
  )
}

const isPreview = ({ body }: Input<FormValues>) => body.action === 'preview'

async function questionPage(input: Input, kind: Kind, problem?: Problem): Promise<Page> {
  const { t } = textsOf(input)
  const { id, content } = await readComment(input, kind, idIn(input), commentIn(input))
  const back = backTo(input, kind)
  return confirmPage(input, {
    title: t('comments.deleteQuestion'),
    text: html`<span class="words" dir="auto">${content}</span>`,
    action: `${back}comment/${id}/delete/`,
    button: t('action.delete'),
    back,
    problem,
  })
}

async function remove(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { services, call } = input
  return resultOf(
    services.comments.deleteComment({ id: commentIn(input) }, call),
    backTo(input, kind),
    (problem) => questionPage(input, kind, problem),
  )
}
