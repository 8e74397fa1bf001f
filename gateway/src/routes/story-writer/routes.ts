import type { Endpoint } from '../../endpoint.js'
import { changeDetail } from './change-detail.js'
import { refineSlides } from './refine-slides.js'
import { writeFigure, writeOverviews, writeSlide } from './write-slide.js'
import { generateStory, refineStory } from './write-story.js'

/** AI for stories. */
export const storyWriter: Endpoint[] = [
  writeSlide,
  changeDetail,
  writeFigure,
  writeOverviews,
  refineSlides,
  generateStory,
  refineStory,
]
