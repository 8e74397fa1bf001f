import { SlideType } from '@figbase/proto/stories'
import type { MessageKey } from '../../texts/texts.js'

/** The types of slides, and their names. */
export const slideTypes = new Map<SlideType, MessageKey>([
  [SlideType.TITLE, 'story.type.title'],
  [SlideType.INTRODUCTION, 'story.type.introduction'],
  [SlideType.GOALS, 'story.type.goals'],
  [SlideType.DATA, 'story.type.data'],
  [SlideType.FIGURE, 'kind.figure'],
  [SlideType.CONCLUSION, 'story.type.conclusion'],
  [SlideType.CUSTOM, 'story.type.custom'],
])

/** The types of slides without a figure. */
export const textTypes: SlideType[] = [...slideTypes.keys()].filter(
  (type) => type !== SlideType.FIGURE,
)
