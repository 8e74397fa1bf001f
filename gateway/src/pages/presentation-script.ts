/** Keys of a presentation: arrows, Home and End change the slide, `f` the full screen. The page works without it. */
export const presentationScript = `
const slides = [...document.querySelectorAll('.slide')]
const current = () => slides.reduce((best, slide, i) =>
  Math.abs(slide.getBoundingClientRect().top) < Math.abs(slides[best].getBoundingClientRect().top) ? i : best, 0)
const show = (i) => slides[Math.max(0, Math.min(slides.length - 1, i))].scrollIntoView()
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const { key } = event
  if (key in steps) show(current() + (key === ' ' && event.shiftKey ? -1 : steps[key]))
  else if (key === 'Home') show(0)
  else if (key === 'End') show(slides.length - 1)
  else if (key === 'f') document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  else return
  event.preventDefault()
})
`
