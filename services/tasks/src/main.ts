import { serve } from '@figbase/kit/service'
import { tasks } from './index.js'

await serve(tasks)
