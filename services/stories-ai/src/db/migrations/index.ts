import type { Migration } from '@figbase/kit/db'
import { stories } from './0001-stories.js'
import { exports } from './0002-exports.js'
import { exportsOfStory } from './0003-exports-of-story.js'
import { pdf } from './0004-pdf.js'
import { ai } from './0005-ai.js'
import { aiTasks } from './0006-ai-tasks.js'
import { aiUsageMonth } from './0007-ai-usage-month.js'
import { storyVersionRevisions } from './0008-story-version-revisions.js'

export const migrations: Migration[] = [
  stories,
  exports,
  exportsOfStory,
  pdf,
  ai,
  aiTasks,
  aiUsageMonth,
  storyVersionRevisions,
]
