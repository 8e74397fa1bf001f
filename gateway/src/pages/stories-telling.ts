import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { ifAvailable } from '../if-available.js'
import { textsOf } from '../texts/texts.js'
import { pagePath } from './kinds.js'
import type { Linked } from './linked-revisions.js'
import { rows } from './lists.js'
import { nameHtml } from './text.js'

/** The stories that tell a figure revision, and that the user may view. */
export async function storiesTelling(input: Input, revisionId: string): Promise<Linked> {
  const texts = textsOf(input)
  const answer = await ifAvailable(input.services.stories.listTelling({ revisionId }, input.call))
  const stories = answer?.stories ?? []
  if (stories.length === 0) return { list: html``, names: [] }
  const items = stories.map(({ id, name, createdOn }) => ({
    href: pagePath({ id, type: NodeType.STORY }),
    caption: nameHtml(name),
    note: texts.date(createdOn),
  }))
  const title = texts.t('revision.stories')
  return {
    list: rows(texts, title, items),
    names: stories.map(({ name }) => html`${name}`),
  }
}
