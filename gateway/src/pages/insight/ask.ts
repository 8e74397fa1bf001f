import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Answer, CheckResponse } from '@figbase/proto/insight'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm, userStream } from '../form.js'
import { type Problem, problemNote, resultOf, tried } from '../form-problem.js'
import { path } from '../heading.js'
import { pageNotFound, revisionIdIn } from '../ids.js'
import { pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced, may, type Placed } from '../placed.js'
import { answerEvents, answerHtml, type Question, readAnswer } from './answer.js'

const askPath = '/revision/:id/ask/'

/** `with`: an earlier revision, with which this one is compared. */
const query = z.object({ with: z.uuid().optional() })

/** Questions to a language model about a figure revision. The script shows the answer while it is written. */
export const insightPages: Route[] = [
  userPage(askPath, (input) => askPage(input), { query }),
  { ...userForm(askPath, submit, { isLong: true }), query },
  userForm('/revision/:id/describe/', describe, { isLong: true }),
  {
    ...userStream(`${askPath}stream/`, (input) => answerEvents(input, questionIn(input))),
    query,
  },
]

const comparedIn = ({ query }: Input) => (query as { with?: string }).with

function questionIn(input: Input<FormValues>): Question {
  const revisionId = revisionIdIn(input)
  const prompt = promptIn(input)
  const leftRevisionId = comparedIn(input)
  return leftRevisionId
    ? { case: 'comparison', value: { leftRevisionId, rightRevisionId: revisionId, prompt } }
    : { case: 'figure', value: { revisionId, prompt } }
}
const promptIn = ({ body }: Input<FormValues>) => (body.prompt ?? '').replaceAll('\r\n', '\n')

type Asked = { prompt: string; answer?: Answer; problem?: Problem }

async function askPage(input: Input, asked?: Asked): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const revisionId = revisionIdIn(input)
  if (!(await input.readSite()).isAiEnabled) throw pageNotFound()
  const [placed, state] = await Promise.all([
    getPlaced(input, revisionId, NodeType.FIGURE_REVISION),
    tried(services.insight.check({ revisionId }, call)),
  ])
  const { node, ancestors } = placed
  const address = `${pagePath(node)}ask/`
  const compared = comparedIn(input)
  const search = compared ? `?with=${compared}` : ''
  const problem = asked?.problem ?? state.problem
  return {
    ...(problem && { status: problem.status }),
    title: t('insight.title'),
    hasForm: true,
    connects: true,
    content: html`${path(texts, ancestors)}<p class="kind"><a href="${pagePath(node)}">${t('kind.revision')}</a></p>
<h1>${t('insight.title')}</h1>
<p>${t(compared ? 'insight.noteCompare' : 'insight.note')}</p>
<form class="wide" method="post" action="${address}${search}" data-stream="${address}stream/${search}" data-failed="${t('problem.aiFailed')}">${formToken(input)}
<label>${t(compared ? 'insight.questionCompare' : 'insight.question')} <textarea name="prompt" rows="3" dir="auto"${compared ? html`` : html` required=""`}>
${asked?.prompt ?? ''}</textarea></label>
<button>${t('insight.ask')}</button></form>
${state.problem ? html`` : stateNote(input, state.value)}
<div id="answer" aria-live="polite">${problemNote(t, problem)}${asked?.answer ? await answerHtml(texts, asked.answer) : html``}</div>
${may(placed, 'UPDATE') && !compared ? describeForm(input, placed) : html``}`,
  }
}

/** Lets AI write the description of the revision. */
function describeForm(input: Input, { node }: Placed): Html {
  const { t } = textsOf(input)
  return html`<h2>${t('revision.description')}</h2><p>${t('insight.describeNote')}</p>
<form class="inline" method="post" action="${pagePath(node)}describe/">${formToken(input)}
<button class="secondary">${t('insight.describe')}</button></form>`
}

async function describe(input: Input): Promise<FormResult> {
  const { services, streamCall } = input
  const revisionId = revisionIdIn(input)
  return resultOf(
    services.insight.describe({ revisionId }, streamCall),
    `/revision/${revisionId}/`,
    (problem) => askPage(input, { prompt: '', problem }),
  )
}

/** Why there would be no answer now, or what is left of the limits. */
function stateNote(input: Input, { available, messages }: CheckResponse): Html {
  const { t } = textsOf(input)
  const unavailable = available ? html`` : html`${t('insight.unavailable')} `
  if (available && messages.length === 0) return html``
  return html`<p class="quiet">${unavailable}<span lang="en">${messages.join(' ')}</span></p>`
}

async function submit(input: Input<FormValues>): Promise<FormResult> {
  const prompt = promptIn(input)
  const asked = await tried(readAnswer(input, questionIn(input)))
  if (asked.problem) {
    const { problem } = asked
    return { status: problem.status, page: await askPage(input, { prompt, problem }) }
  }
  return { status: 200, page: await askPage(input, { prompt, answer: asked.value }) }
}
