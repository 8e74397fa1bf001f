import type { Story } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import { readStory as readStoryOf } from '../../routes/story/read-story.js'
import { idIn } from '../ids.js'

export const storyPath = (id: string): string => `/story/${id}/`

/** The story in the path of a page. */
export const readStory = (input: Input): Promise<Story> => {
  idIn(input)
  return readStoryOf(input)
}

/** A version in a form or a path; 0 is none. */
export const versionIn = (text = ''): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0)
