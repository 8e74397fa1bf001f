import type { Client } from './client.js'
import type { Core } from './resources.js'

export interface Slide {
  slide_id: string
  slide_type: string
  position: number
  content: string
  revision_id: string | null
  revision_state: 'visible' | 'hidden' | 'deleted' | null
  slide_data: Record<string, unknown>
}

export interface Story extends Core {
  name: string
  description: string | null
  workspace: string
  revisions: { api_id: string; revision_state: string; figure?: string }[]
  slides: Slide[]
  generation_status: string | null
  revisions_visible_to_readers: boolean
}

export async function newStory(
  me: Client,
  workspace: string,
  more: Record<string, unknown> = {},
): Promise<Story> {
  const story = { name: 'Bloom of spring', description: 'What the nets told us', workspace }
  return (await me.post<Story>('story/', { ...story, ...more }, 201)).body
}

/** Slides as a client sends them back, without the members that only the server writes. */
export const toSend = (slides: Slide[]) => slides.map(({ revision_state: _, ...slide }) => slide)
