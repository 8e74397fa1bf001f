import { type Html, html } from '@figbase/kit/text'
import { type Slide, SlideType } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import { omissionsHtml } from '../insight/answer.js'
import { markdownHtml } from '../text.js'
import { addressCharsMax, type Told } from './figures.js'
import { slideTypes, textTypes } from './slide-types.js'

/** Longer previews would take long to render. */
const previewCharsMax = 16 * 1024

/** What is typed into the form. `address` is that of another revision than the chosen one. */
export type SlideValues = { type: SlideType; content: string; revisionId: string; address: string }

export type FigureChoices = { told: Told[]; recent: Told[] }

type Options = {
  version: number
  /** The slide as it is saved. */
  saved: Slide | undefined
  choices: FigureChoices | undefined
  isAiEnabled: boolean
  back: string
  problem?: Problem
  isPreview?: boolean
  /** What the language model did not get. */
  omissions?: string[]
}

/** The form for one slide. */
export async function slideForm(
  input: Input,
  values: SlideValues,
  options: Options,
): Promise<Html> {
  const texts = textsOf(input)
  const { t } = texts
  const { version, saved, choices, isAiEnabled, back, problem, isPreview, omissions = [] } = options
  return html`${problemNote(t, problem)}${problem ? savedText(texts, values, saved) : html``}${isPreview ? await preview(texts, values) : html``}${omissionsHtml(texts, omissions)}
<form class="wide" method="post">${formToken(input)}<input type="hidden" name="version" value="${String(version)}">
${choices ? figureInputs(texts, values, choices) : typeInput(texts, values)}
<label>${t('story.text')} <textarea name="content" rows="12" dir="auto">
${values.content}</textarea></label>
<p class="quiet">${t('story.markdown')}</p>
<div class="buttons"><button name="action" value="save">${t('edit.save')}</button>
<button name="action" value="preview" class="secondary">${t('comments.preview')}</button>
<a href="${back}">${t('form.cancel')}</a></div>
${isAiEnabled ? aiButtons(texts, saved !== undefined) : html``}</form>`
}

const preview = async (texts: Texts, { content }: SlideValues) =>
  html`<section aria-label="${texts.t('comments.preview')}" class="written preview" dir="auto">${await markdownHtml(texts, content.slice(0, previewCharsMax))}</section>`

/** What somebody else has saved meanwhile. */
const savedText = ({ t }: Texts, { content }: SlideValues, saved: Slide | undefined) =>
  saved && saved.content !== content
    ? html`<details open=""><summary>${t('story.savedText')}</summary><pre dir="auto">${saved.content}</pre></details>`
    : html``

function typeInput({ t }: Texts, { type }: SlideValues): Html {
  const options = textTypes.map(
    (one) =>
      html`<option value="${String(one)}"${one === type ? html` selected=""` : html``}>${t(slideTypes.get(one) ?? 'story.type.custom')}</option>`,
  )
  return html`<label>${t('story.slideType')} <select name="type">${options}</select></label>`
}

function figureInputs({ t }: Texts, values: SlideValues, { told, recent }: FigureChoices): Html {
  const { revisionId, address } = values
  const known = new Set(told.map(({ revisionId }) => revisionId))
  const group = (label: MessageKey, figures: Told[]) => {
    const options = figures.map(
      ({ revisionId: id, name }) =>
        html`<option value="${id}"${id === revisionId ? html` selected=""` : html``}>${name}</option>`,
    )
    return options.length > 0 ? html`<optgroup label="${t(label)}">${options}</optgroup>` : html``
  }
  const others = recent.filter(({ revisionId }) => !known.has(revisionId))
  const isListed = [...told, ...others].some(({ revisionId: id }) => id === revisionId)
  const other =
    revisionId && !isListed
      ? html`<option value="${revisionId}" selected="">${t('story.sameFigure')}</option>`
      : html``
  return html`<input type="hidden" name="type" value="${String(SlideType.FIGURE)}">
<label>${t('kind.figure')} <select name="revision">${other}${group('story.figuresTold', told)}${group('story.figuresRecent', others)}</select></label>
<label>${t('story.otherFigure')} <input name="address" value="${address}" maxlength="${String(addressCharsMax)}"></label>`
}

function aiButtons({ t }: Texts, isSaved: boolean): Html {
  const button = (action: string, label: MessageKey) =>
    html`<button name="action" value="${action}" class="secondary">${t(label)}</button>`
  const changes = isSaved
    ? html`${button('more', 'story.moreDetail')}${button('less', 'story.lessDetail')}`
    : html``
  return html`<div class="buttons" role="group" aria-label="${t('story.ai')}">${button('write', 'story.writeText')}${changes}</div>`
}
