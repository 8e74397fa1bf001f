import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Html, html } from '@figbase/kit/text'
import type { Answer, AskRequestSchema, AskResponse } from '@figbase/proto/insight'
import type { Input, ServerSentEvent } from '../../endpoint.js'
import { required } from '../../required.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { problemNote, type Tried, tried } from '../form-problem.js'
import { markdownHtml, paragraphHtml } from '../text.js'

/** Longer answers are shown as plain text, because they would take long to render. */
const markdownBytesMax = 16 * 1024

export type Question = MessageInitShape<typeof AskRequestSchema>['question']

const ask = ({ services, streamCall }: Input, question: Question): AsyncIterable<AskResponse> =>
  services.insight.ask({ question } as MessageInitShape<typeof AskRequestSchema>, streamCall)

/** The whole answer of a language model. */
export async function readAnswer(input: Input, question: Question): Promise<Answer> {
  let answer: Answer | undefined
  // Up to the end, so that the call ends.
  for await (const { event } of ask(input, question))
    if (event.case === 'done') answer = event.value
  return required<Answer>(answer)
}

/** The text as it is written, then the whole answer as HTML; or why there is none. Fails if the user may not ask. */
export async function answerEvents(
  input: Input,
  question: Question,
): Promise<AsyncGenerator<ServerSentEvent>> {
  const responses = ask(input, question)[Symbol.asyncIterator]()
  // An error before the request is accepted gets an error response.
  return eventsOf(textsOf(input), await tried(responses.next()), responses)
}

async function* eventsOf(
  texts: Texts,
  first: Tried<IteratorResult<AskResponse>>,
  rest: AsyncIterator<AskResponse>,
): AsyncGenerator<ServerSentEvent> {
  for (let next = first; ; next = await tried(rest.next())) {
    if (next.problem) {
      yield { event: 'error', data: { html: problemNote(texts.t, next.problem).toString() } }
      return
    }
    if (next.value.done) return
    const { event } = next.value.value
    if (event.case === 'delta') yield { event: 'delta', data: { text: event.value } }
    if (event.case === 'done') {
      yield { event: 'done', data: { html: (await answerHtml(texts, event.value)).toString() } }
    }
  }
}

/** An answer and its origin. */
export async function answerHtml(
  texts: Texts,
  { response, model, omissions }: Answer,
): Promise<Html> {
  const { t } = texts
  const isLong = Buffer.byteLength(response) > markdownBytesMax
  const text = isLong ? paragraphHtml(response) : await markdownHtml(texts, response)
  return html`<div class="written preview" dir="auto">${text}</div>
<p class="quiet">${t('insight.by', { model })}</p>${omissionsHtml(texts, omissions)}`
}

/** What the language model did not get. */
export const omissionsHtml = ({ t }: Texts, omissions: string[]): Html =>
  omissions.length > 0
    ? html`<p class="quiet">${t('insight.omitted')} <span lang="en">${omissions.join(' ')}</span></p>`
    : html``
