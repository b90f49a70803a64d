import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { CitiesRepository, type CityKey } from './cities.repository';
import { type CityRow } from './cities.resources';

@Injectable()
export class CitiesService {
  constructor(private readonly cities: CitiesRepository) {}

  /** A city by id or uid; undefined when not found (D39). */
  async byKey(key: string): Promise<CityKey | undefined> {
    const city = await this.cities.byName(key);
    return city && (city.uid === key || /^\d+$/.test(key)) ? city : undefined;
  }

  /** A city by id, uid or name; undefined when not found (D37). */
  find(name: string): Promise<CityKey | undefined> {
    return this.cities.byName(name);
  }

  /** @throws ApiError 1001 when the city is not found (D38) */
  async getCity(id: number): Promise<CityRow> {
    const city = await this.cities.findCityById(id);
    if (!city) throw new ApiError('uriNotFound', { detail: 'city not found' });
    return city;
  }

  /** Cities by their ids, sorted by id; ids without a city are omitted. */
  async listKeys(ids: readonly number[]): Promise<readonly CityKey[]> {
    return ids.length === 0 ? [] : this.cities.listKeys(ids);
  }

  /** All cities, sorted by id. */
  list(page: PageQuery): Promise<Page<CityRow>> {
    return this.cities.list(page);
  }
}
