// Task T2 by Embree 3, on sets that `peers boxes --dump FOLDER` wrote: FOLDER/SET.boxes and
// FOLDER/SET.queries, six f32 a box, the lowest corner first.
//
// Boxes are a user geometry, built at medium quality. A query is a point query with the ball around
// its box, whose hits are tested exactly, as Embree has no query by box. One thread; times are of
// the processor, medians, and the count and sum of overlaps tell whether all were found.
//
//   g++ -O3 -march=native boxes.cpp -lembree3 -o boxes && ./boxes FOLDER/SET 7

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

struct Box {
    float low[3], high[3];
};

static std::vector<Box> read(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        std::fprintf(stderr, "%s cannot be read\n", path.c_str());
        std::exit(1);
    }
    std::vector<Box> boxes(file.tellg() / sizeof(Box));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(boxes.data()), boxes.size() * sizeof(Box));
    return boxes;
}

static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Box& b = static_cast<const Box*>(arguments->geometryUserPtr)[arguments->primID];
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = b.low[0], out.lower_y = b.low[1], out.lower_z = b.low[2];
    out.upper_x = b.high[0], out.upper_y = b.high[1], out.upper_z = b.high[2];
}

struct Search {
    const Box* boxes;
    const Box* query;
    uint64_t count = 0, sum = 0;
};

static bool hit(RTCPointQueryFunctionArguments* arguments) {
    Search& search = *static_cast<Search*>(arguments->userPtr);
    const Box &b = search.boxes[arguments->primID], &q = *search.query;
    for (int a = 0; a < 3; a++)
        if (b.low[a] > q.high[a] || q.low[a] > b.high[a]) return false;
    search.count++;
    search.sum += arguments->primID;
    return false;
}

static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: boxes FOLDER/SET REPETITIONS\n");
        return 1;
    }
    const std::string set = arguments[1];
    const std::vector<Box> boxes = read(set + ".boxes"), queries = read(set + ".queries");
    RTCDevice device = rtcNewDevice("threads=1");
    std::vector<double> builds, searches;
    Search search;
    for (int repetition = std::atoi(arguments[2]); repetition > 0; repetition--) {
        const double start = now();
        RTCScene scene = rtcNewScene(device);
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, boxes.size());
        rtcSetGeometryUserData(geometry, const_cast<Box*>(boxes.data()));
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcSetGeometryPointQueryFunction(geometry, hit);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
        const double built = now();
        search = Search{boxes.data(), nullptr};
        for (const Box& query : queries) {
            search.query = &query;
            RTCPointQuery ball;
            float square = 0;
            float* centre[3] = {&ball.x, &ball.y, &ball.z};
            for (int a = 0; a < 3; a++) {
                const float half = 0.5f * (query.high[a] - query.low[a]);
                *centre[a] = query.low[a] + half;
                square += half * half;
            }
            ball.radius = 1.0001f * std::sqrt(square);
            ball.time = 0;
            RTCPointQueryContext context;
            rtcInitPointQueryContext(&context);
            rtcPointQuery(scene, &ball, &context, nullptr, &search);
        }
        builds.push_back(built - start);
        searches.push_back(now() - built);
        rtcReleaseScene(scene);
    }
    rtcReleaseDevice(device);
    std::printf("%s: %zu boxes, %zu queries, %llu overlaps, sum %llu: build %.2f ms, search %.2f ms\n",
                set.c_str(), boxes.size(), queries.size(), (unsigned long long)search.count,
                (unsigned long long)search.sum, median(builds), median(searches));
}
