import { serve } from '@figbase/kit'
import { tasks } from './index.js'

await serve(tasks)
