/// The name of a field, in each language.
enum FieldName: String, CaseIterable {
    case action
    case actions
    case audience
    case audienceSoFar = "audience so far"
    case author
    case badges
    case caption
    case categories
    case certification
    case character
    case countries
    case date
    case day
    case description
    case directors
    case distance
    case distributor
    case facts
    case genres
    case gross
    case highlighted
    case hours
    case image
    case job
    case link
    case movies
    case name
    case new
    case originalTitle = "original title"
    case overview
    case overline
    case popularity
    case portrait
    case price
    case progress
    case rank
    case rankBefore = "previous rank"
    case rating
    case record
    case revenue
    case reviews
    case revision
    case runtime
    case share
    case subtitle
    case tag
    case tagline
    case text
    case theaters
    case title
    case total
    case views
    case votes
    case weeks

    func text(in language: Language) -> String { language(rawValue, korean) }

    private var korean: String {
        switch self {
        case .action: "동작"
        case .actions: "동작"
        case .audience: "관객"
        case .audienceSoFar: "누적 관객"
        case .author: "저자"
        case .badges: "배지"
        case .caption: "설명"
        case .categories: "분류"
        case .certification: "등급"
        case .character: "배역"
        case .countries: "국가"
        case .date: "개봉일"
        case .day: "일차"
        case .description: "본문"
        case .directors: "감독"
        case .distance: "거리"
        case .distributor: "배급"
        case .facts: "정보"
        case .genres: "장르"
        case .gross: "매출"
        case .highlighted: "강조"
        case .hours: "시청 시간"
        case .image: "이미지"
        case .job: "역할"
        case .link: "링크"
        case .movies: "영화"
        case .name: "이름"
        case .new: "새 진입"
        case .originalTitle: "원제"
        case .overview: "줄거리"
        case .overline: "윗줄"
        case .popularity: "인기도"
        case .portrait: "사진"
        case .price: "가격"
        case .progress: "진행"
        case .rank: "순위"
        case .rankBefore: "이전 순위"
        case .rating: "평점"
        case .record: "레코드"
        case .revenue: "수익"
        case .reviews: "후기"
        case .revision: "리비전"
        case .runtime: "상영 시간"
        case .share: "점유율"
        case .subtitle: "부제"
        case .tag: "태그"
        case .tagline: "태그라인"
        case .text: "글"
        case .theaters: "극장"
        case .title: "제목"
        case .total: "누적"
        case .views: "조회"
        case .votes: "평가 수"
        case .weeks: "주"
        }
    }
}
