import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { fullPath } from '../pictures.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { readStory, storyPath, versionIn } from './read.js'
import { slidesHtml } from './slides-html.js'

const query = { query: z.object({ cursor: z.string().max(10).optional() }) }

/** The saved versions of a story. Each can be saved again as the newest one. */
export const historyPages: Route[] = [
  userPage('/story/:id/history/', historyPage, query),
  userPage('/story/:id/history/:number/', (input) => versionPage(input)),
  userForm('/story/:id/history/:number/', restore),
]

async function historyPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t, dateTime } = texts
  const storyId = idIn(input)
  const { cursor } = input.query as { cursor?: string }
  const request = { storyId, pageSize: cfg.pageItemsMax, beforeVersion: versionIn(cursor) }
  const [placed, { versions }] = await Promise.all([
    getPlaced(input, storyId, NodeType.STORY),
    services.stories.listVersions(request, call),
  ])
  const items = versions.map(
    ({ version: number, savedBy, savedOn }) =>
      html`<li><a href="${storyPath(storyId)}history/${String(number)}/">${t('story.version', { number })}</a>
<span class="quiet">${t('story.saved', { author: nameHtml(savedBy), time: dateTime(savedOn) })}</span></li>`,
  )
  const last = versions.at(-1)?.version ?? 0
  const hasMore = versions.length === cfg.pageItemsMax && last > 1
  return {
    title: t('story.history'),
    content: html`${pathTo(texts, placed)}<p class="kind">${t('kind.story')}</p>
<h1>${t('story.history')}</h1>
<ul class="rows">${items}</ul>${nextLink(input, hasMore ? String(last) : '')}`,
  }
}

const numberIn = ({ params: { number } }: Input) => {
  const version = versionIn(number)
  if (version === 0) throw pageNotFound()
  return version
}

async function versionPage(input: Input, problem?: Problem): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t, dateTime } = texts
  const number = numberIn(input)
  const storyId = idIn(input)
  const [found, story, placed] = await Promise.all([
    services.stories.getVersion({ storyId, version: number }, call),
    readStory(input),
    getPlaced(input, storyId, NodeType.STORY),
  ])
  const { savedBy, savedOn } = required(found.version)
  const slides = await slidesHtml(texts, found.slides, (id) =>
    fullPath({ id, type: NodeType.FIGURE_REVISION }),
  )
  const restoreForm =
    number === story.version
      ? html`<p class="quiet">${t('story.isCurrent')}</p>`
      : html`<form class="inline" method="post">${formToken(input)}<input type="hidden" name="version" value="${String(story.version)}">
<button>${t('story.restore')}</button></form>`
  return {
    ...(problem && { status: problem.status }),
    title: t('story.version', { number }),
    hasForm: true,
    content: html`<article class="story">${pathTo(texts, placed)}<p class="kind">${t('story.version', { number })} ·
${t('story.saved', { author: nameHtml(savedBy), time: dateTime(savedOn) })}</p>
<h1>${nameHtml(found.name)}</h1>
${problemNote(t, problem)}${restoreForm}
${slides.map(({ className, content }) => html`<section class="${className}">${content}</section>`)}
<p class="way"><a href="${storyPath(storyId)}history/">${t('story.history')}</a></p></article>`,
  }
}

async function restore(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const storyId = idIn(input)
  const expectedVersion = versionIn(body.version)
  const request = { storyId, version: numberIn(input), expectedVersion }
  return resultOf(services.stories.restoreVersion(request, call), storyPath(storyId), (problem) =>
    versionPage(input, problem),
  )
}
