import type { Route } from '../../endpoint.js'
import { createPages } from './create.js'
import { exportPages } from './export.js'
import { historyPages } from './history.js'
import { outlinePages } from './outline.js'
import { storyPicture } from './picture.js'
import { showPages } from './show.js'
import { slidePages } from './slide.js'
import { taskPages } from './task.js'
import { writerPages } from './writer.js'

/** The pages of stories. */
export const storyPages: Route[] = [
  ...showPages,
  ...createPages,
  ...outlinePages,
  ...slidePages,
  ...historyPages,
  ...exportPages,
  ...taskPages,
  ...writerPages,
  storyPicture,
]
