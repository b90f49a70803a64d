import { IsString } from 'class-validator';
import { PictureSettings } from './picture-settings';

/** Settings of the movie area (D36, D37); part of `Settings`. */
export class MovieSettings extends PictureSettings {
  /** City of movie lists for requests that name none: an id, uid or name (D37). */
  @IsString()
  DEFAULT_CITY = '北京';

  /** Titles of the charts (D36). */
  @IsString()
  CHART_TITLE_TOP250 = '电影Top250';

  @IsString()
  CHART_TITLE_US_BOX = '北美票房榜';

  @IsString()
  CHART_TITLE_WEEKLY = '本周口碑榜';

  @IsString()
  CHART_TITLE_NEW_MOVIES = '新片榜';

  /** `{city}` is replaced by the city's name. */
  @IsString()
  CHART_TITLE_IN_THEATERS = '正在上映的电影-{city}';

  @IsString()
  CHART_TITLE_COMING_SOON = '即将上映的电影';
}
