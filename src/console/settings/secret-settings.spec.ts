import { SETTING_NAMES } from '../../config/settings';
import { isSecret } from './secret-settings';

it('keeps secrets and the addresses of databases from pages', () => {
  expect(SETTING_NAMES.filter(isSecret).sort()).toEqual(
    [
      ...['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS', 'DATABASE_URL'],
      ...['PICTURES_S3_ACCESS_KEY_ID', 'PICTURES_S3_SECRET_ACCESS_KEY', 'PICTURES_SECRET'],
      'REDIS_URL',
    ].sort(),
  );
});
